import type { StreamResponse, Task } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { isSettled } from '../../protocols/a2a/states.js';
import { toStream } from '../../protocols/a2a/to-stream.js';
import { toldEnd, toldState } from '../../protocols/a2a/turn-end.js';
import type { RegisteredPush } from '../a2a/push-configs.js';
import { openIn, type TaskRecord, toTask } from '../a2a/task-book.js';
import type { ServerLog } from '../server-log.js';
import type { NoticeSigner } from './notice-token.js';
import { Outbox } from './outbox.js';
import { post } from './post.js';
import type { TargetCheck } from './safe-target.js';

export type PushSenderOptions = {
  readonly targets: TargetCheck;
  readonly log: ServerLog;
  /** Signs notices for webhooks that gave no credentials of their own. */
  readonly sign?: NoticeSigner;
  readonly retryMs?: number;
};

export type Watching = {
  stop(): void;
  /** Resolves when the task is over and the webhook was told, or given up. */
  readonly done: Promise<void>;
};

const serializers = { '0.3': new V03PushNotificationSerializer(), '1.0': new V1PushNotificationSerializer() };

/** Tells webhooks what happens to their task: that it waits or is over, or everything if that was asked for. */
export class PushSender {
  readonly #options: PushSenderOptions;
  readonly #open = new Set<() => void>();
  /** Notices that no try could deliver. */
  deadLetters = 0;

  constructor(options: PushSenderOptions) {
    this.#options = options;
  }

  /** Also of what happened since the event `after`: a quick turn may be over before its webhook is registered. */
  watch(task: TaskRecord, registered: RegisteredPush, after = task.session.seq): Watching {
    const outbox = new Outbox(this.#options.retryMs ?? 1000, () => this.#giveUp(task, registered));
    const { turnEnd } = task.session;
    let finish = (): void => {};
    const over = new Promise<void>((resolve) => (finish = resolve));
    let previous: SessionEvent | undefined;
    const unsubscribe = task.session.subscribe((event) => {
      if (event.turnId !== task.id) return;
      for (const response of noticesOf(event, task, registered, previous))
        outbox.add(this.#deliver(registered, response, toTask(task, registered)), event.type === 'turn');
      previous = event;
      if (event.type === 'turn' && isTurnEnd(toldState(event.state, turnEnd))) finish();
    }, after);
    const stop = (): void => {
      unsubscribe();
      this.#open.delete(stop);
    };
    this.#open.add(stop);
    task.session.ended.addEventListener('abort', stop, { once: true });
    if (isTurnEnd(task.state)) finish();
    return { stop, done: over.then(stop).then(() => outbox.emptied) };
  }

  close(): void {
    for (const stop of this.#open) stop();
  }

  #deliver({ config, version }: RegisteredPush, response: StreamResponse, task: Task): () => Promise<boolean> {
    const { log, targets, sign } = this.#options;
    const { body, contentType } = serializers[version === '0.3' ? '0.3' : '1.0'].serialize(response, task);
    return async () => {
      try {
        const target = await targets.resolve(config.url);
        const jwt = config.authentication ? undefined : await sign?.({ audience: config.url, taskId: task.id, body });
        const status = await post(target, { 'content-type': contentType, ...authorization(config, jwt) }, body);
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
    this.#options.log.error('webhook given up', { task: task.id, host: new URL(config.url).host });
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
  const options = { taskId: id, contextId, agent: session.agent };
  // A notice may be given up, and an answer with a hole in it is worse than one that comes at the end.
  if (event.type === 'text' && !isExtended) return [];
  const waiting = openIn(task);
  // A webhook that is sent states alone gets no artifact with them, it asks for the task; but it gets the question.
  const past =
    updates === 'all'
      ? { hasAnswer: false, unsent: text, previous, waiting }
      : { hasAnswer: false, previous: undefined, waiting };
  const told = toStream(event, { ...options, isExtended }, past);
  return toldEnd(event, session.turnEnd, told);
}

/** The client's own credentials win over our signature; its token is sent beside either. */
function authorization(
  { authentication, token }: RegisteredPush['config'],
  jwt: string | undefined,
): Record<string, string> {
  const credentials = authentication
    ? `${authentication.scheme} ${authentication.credentials}`.trim()
    : jwt && `Bearer ${jwt}`;
  return {
    ...(credentials === undefined ? {} : { authorization: credentials }),
    ...(token === '' ? {} : { 'x-a2a-notification-token': token }),
  };
}
