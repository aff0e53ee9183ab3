import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamResponse, Task } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { isTurnEnd } from '../../domain/events.js';
import { isSettled } from '../../protocols/a2a/states.js';
import { toStream } from '../../protocols/a2a/to-stream.js';
import { toldEnd, toldState } from '../../protocols/a2a/turn-end.js';
import type { RegisteredPush } from '../a2a/push-configs.js';
import { type TaskRecord, toTask } from '../a2a/task-book.js';
import type { ServerLog } from '../server-log.js';
import { post } from './post.js';
import type { TargetCheck } from './safe-target.js';

export type PushSenderOptions = {
  readonly targets: TargetCheck;
  readonly configsOf: (taskId: string) => readonly RegisteredPush[];
  readonly log: ServerLog;
  /** The first pause before a retry; each following one is twice as long. */
  readonly retryMs?: number;
};

const tries = 6;
/** Notices that wait for one task; a webhook that is down cannot pile up more. */
const maxWaiting = 100;

const serializers = { '0.3': new V03PushNotificationSerializer(), '1.0': new V1PushNotificationSerializer() };

/** Tells webhooks when a task waits for an answer or is over: in order per task, again and again until it is taken. */
export class PushSender {
  readonly #options: PushSenderOptions;
  readonly #watched = new Map<string, () => void>();
  readonly #queues = new Map<string, { tail: Promise<void>; waiting: number }>();
  /** Notices that no try could deliver. */
  deadLetters = 0;

  constructor(options: PushSenderOptions) {
    this.#options = options;
  }

  /** Also of what happened since the event `after`: a quick turn may be over before its webhook is registered. */
  watch(task: TaskRecord, after = task.session.seq): void {
    if (this.#watched.has(task.id)) return;
    const { turnEnd } = task.session;
    const unsubscribe = task.session.subscribe((event) => {
      if (event.turnId !== task.id || event.type !== 'turn') return;
      if (isSettled(event.state)) {
        const options = {
          taskId: task.id,
          contextId: task.session.id,
          agent: task.session.agent,
          isExtended: true,
        };
        const told = toStream(event, options, { text: task.text, previous: undefined });
        for (const response of toldEnd(event, turnEnd, told)) this.#enqueue(task, response);
      }
      if (isTurnEnd(toldState(event.state, turnEnd))) this.#unwatch(task.id);
    }, after);
    if (isTurnEnd(task.state)) unsubscribe();
    else this.#watched.set(task.id, unsubscribe);
  }

  close(): void {
    for (const id of this.#watched.keys()) this.#unwatch(id);
  }

  #unwatch(taskId: string): void {
    this.#watched.get(taskId)?.();
    this.#watched.delete(taskId);
  }

  #enqueue(task: TaskRecord, response: StreamResponse): void {
    const queue = this.#queues.get(task.id) ?? { tail: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= maxWaiting) return void this.deadLetters++;
    const configs = this.#options.configsOf(task.id);
    const snapshot = toTask(task);
    queue.waiting++;
    queue.tail = queue.tail
      .then(() => this.#deliver(configs, response, snapshot))
      .finally(() => this.#done(task, queue));
    this.#queues.set(task.id, queue);
  }

  #done(task: TaskRecord, queue: { waiting: number }): void {
    if (--queue.waiting === 0) this.#queues.delete(task.id);
  }

  async #deliver(configs: readonly RegisteredPush[], response: StreamResponse, task: Task): Promise<void> {
    await Promise.all(configs.map((registered) => this.#deliverTo(registered, response, task)));
  }

  async #deliverTo({ config, version }: RegisteredPush, response: StreamResponse, task: Task): Promise<void> {
    const { log, targets, retryMs = 1000 } = this.#options;
    const { body, contentType } = serializers[version === '0.3' ? '0.3' : '1.0'].serialize(response, task);
    for (let attempt = 1; attempt <= tries; attempt++) {
      try {
        const target = await targets.resolve(config.url);
        const status = await post(target, { 'content-type': contentType, ...authorization(config) }, body);
        if (status >= 200 && status < 300) return;
        log.debug('webhook refused', { task: task.id, status, attempt });
      } catch (cause) {
        log.debug('webhook failed', { task: task.id, attempt, cause });
      }
      if (attempt < tries) await sleep(retryMs * 2 ** (attempt - 1), undefined, { ref: false });
    }
    this.deadLetters++;
    log.error('webhook given up', { task: task.id, host: new URL(config.url).host });
  }
}

function authorization({ authentication, token }: RegisteredPush['config']): Record<string, string> {
  if (authentication) return { authorization: `${authentication.scheme} ${authentication.credentials}`.trim() };
  return token === '' ? {} : { 'x-a2a-notification-token': token };
}
