import type { StreamResponse, Task } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { isTurnEnd, type SessionEvent } from '../../../domain/events.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { toStream } from '../../../dialects/a2a/to-stream.js';
import { addEvent, newRecord, openIn, recordUntil, type TaskRecord, toTask } from '../tasks/task-book.js';
import { replay } from '../../../session/replay.js';
import type { ServerLog } from '../../../domain/server-log.js';
import type { NoticeSigner } from './notice-token.js';
import { type Deliver, Outbox, type Progress } from './outbox.js';
import { postToAddress } from './post-to-address.js';
import type { TargetCheck } from './safe-target.js';
import type { RegisteredPush } from './webhook.js';
import { defined } from '../../../util/defined.js';

export type PushSenderOptions = {
  readonly targets: TargetCheck;
  readonly log: ServerLog;
  /** Signs notices for webhooks registered without credentials. */
  readonly sign?: NoticeSigner;
  readonly retryMs?: number;
};

export type Watching = { stop(): void };

export type WatchOptions = {
  readonly from: Progress;
  readonly onProgress?: (progress: Progress) => void;
  /** Called once the task is over and everything was sent or given up. */
  readonly onDone: () => void;
};

const serializers = { '0.3': new V03PushNotificationSerializer(), '1.0': new V1PushNotificationSerializer() };

/** Notifies webhooks when their task waits or is over, or of every event if the client asked for that. */
export class PushSender {
  readonly #options: PushSenderOptions;
  readonly #open = new Set<() => void>();
  /** Notices that were given up. */
  deadLetters = 0;

  constructor(options: PushSenderOptions) {
    this.#options = options;
  }

  /** Also sends events from before the registration or a restart, starting at the given progress. */
  watch(task: TaskRecord, registered: RegisteredPush, { from, onProgress = () => {}, onDone }: WatchOptions): Watching {
    const { session, id } = task;
    let unsubscribe = (): void => {};
    const giveUp = (): void => this.#giveUp(task, registered);
    const outbox = new Outbox({ retryMs: this.#options.retryMs ?? 1000, tries: from.tries, onProgress, giveUp });
    const stop = (): void => {
      outbox.stop();
      unsubscribe();
      this.#open.delete(stop);
      session.ended.removeEventListener('abort', stop);
    };
    // Stay subscribed until everything is sent, which keeps the session in memory.
    const finish = async (): Promise<void> => {
      await outbox.emptied;
      if (outbox.isStopped) return;
      stop();
      onDone();
    };
    let isOver = false;
    const seenUntil = (seq: number): void => {
      if (isOver || !isTurnEnd(task.state) || task.lastSeq > seq) return;
      isOver = true;
      void finish();
    };
    /** The task as it was at the event being sent. */
    let past: TaskRecord | undefined;
    let previous: SessionEvent | undefined;
    const onEvent = (event: SessionEvent): void => {
      if (event.turnId !== id) return;
      past ??= newRecord(session, id, event, true);
      addEvent(past, event);
      const then = { ...past, continues: task.continues };
      const notices = noticesOf(event, then, registered, previous).map((response, index) =>
        this.#deliver(registered, response, toTask(then, registered), `${id}-${event.seq}-${index}`),
      );
      outbox.add(event.seq, notices, event.type === 'turn');
      previous = event;
      seenUntil(event.seq);
    };
    const begin = async (): Promise<void> => {
      past = await recordUntil(session, id, from.after);
      await replay(session, from.after, {
        take: async (events) => events.forEach(onEvent),
        join(after) {
          unsubscribe = session.subscribe(onEvent, after);
          seenUntil(session.seq);
        },
        isOver: () => outbox.isStopped,
      });
    };
    this.#open.add(stop);
    session.ended.addEventListener('abort', stop, { once: true });
    if (session.ended.aborted) stop();
    else begin().catch((cause: unknown) => this.#options.log.error('webhook not followed', { task: id, cause }));
    return { stop };
  }

  close(): void {
    for (const stop of this.#open) stop();
  }

  /** `key` is the same for every attempt, even after a restart of the server. */
  #deliver({ config, version }: RegisteredPush, response: StreamResponse, task: Task, key: string): Deliver {
    const { log, targets, sign } = this.#options;
    const { body, contentType } = serializers[version === '0.3' ? '0.3' : '1.0'].serialize(response, task);
    return async () => {
      try {
        const target = await targets.resolve(config.url);
        const jwt = config.authentication ? undefined : await sign?.({ audience: config.url, taskId: task.id, body });
        const headers = { 'content-type': contentType, 'idempotency-key': key, ...authorization(config, jwt) };
        const status = await postToAddress(target, headers, body);
        if (status >= 200 && status < 300) return true;
        log.debug('webhook refused', { task: task.id, status });
      } catch (cause) {
        log.debug('webhook failed', { task: task.id, cause });
      }
      return false;
    };
  }

  #giveUp(task: TaskRecord, { config }: RegisteredPush): void {
    this.deadLetters++;
    this.#options.log.error('webhook notice abandoned', { task: task.id, host: new URL(config.url).host });
  }
}

function noticesOf(
  event: SessionEvent,
  task: TaskRecord,
  { updates, isExtended }: RegisteredPush,
  previous: SessionEvent | undefined,
): readonly StreamResponse[] {
  const isNews = event.type === 'turn' && isSettled(event.state);
  if (updates === 'settled' && !isNews) return [];
  const { id, contextId, session, text } = task;
  const options = { taskId: id, contextId, agent: session.agent, shown: session.shown };
  // A notice may be given up, and a reply with a gap is worse than one that comes at the end.
  if (event.type === 'text' && !isExtended) return [];
  const waiting = openIn(task);
  // A webhook that only gets states gets no artifacts with them and fetches the task instead. It does get the question.
  const past =
    updates === 'all'
      ? { hasAnswer: false, unsent: text, previous, waiting }
      : { hasAnswer: false, previous: undefined, waiting };
  return toStream(event, { ...options, isExtended }, past);
}

/** The client's own credentials take precedence over our signature. Its token is sent with either. */
function authorization(
  { authentication, token }: RegisteredPush['config'],
  jwt: string | undefined,
): Record<string, string> {
  const credentials = authentication
    ? `${authentication.scheme} ${authentication.credentials}`.trim()
    : jwt && `Bearer ${jwt}`;
  return {
    ...defined({ authorization: credentials }),
    ...(token === '' ? {} : { 'x-a2a-notification-token': token }),
  };
}
