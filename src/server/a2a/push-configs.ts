import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Session } from '../../session/session.js';
import { SessionWebhooks, type SessionWebhooksOptions } from '../push/session-webhooks.js';
import type { PushWishes } from '../push/webhook.js';
import type { TargetCheck } from '../push/safe-target.js';
import type { TaskRecord } from './task-book.js';

export type PushConfigsOptions = SessionWebhooksOptions & { readonly targets: TargetCheck };

/** The webhooks of all sessions in memory. */
export class PushConfigs {
  readonly #options: PushConfigsOptions;
  readonly #bySession = new WeakMap<Session, Promise<SessionWebhooks>>();

  constructor(options: PushConfigsOptions) {
    this.#options = options;
  }

  /** Rejects, with the reason, for an address that must not be called. */
  async check(url: string): Promise<void> {
    await this.#options.targets.resolve(url);
  }

  /** Goes on with what an earlier life of the session was still to send. */
  takeUp(session: Session): void {
    this.#of(session).catch((cause: unknown) => {
      if (!session.ended.aborted) this.#options.log.error('webhooks not taken up', { task: session.id, cause });
    });
  }

  /** The webhook hears of what happens after this event; without it, from now on. */
  async create(
    task: TaskRecord,
    given: TaskPushNotificationConfig,
    wishes: PushWishes,
    after?: number,
  ): Promise<TaskPushNotificationConfig> {
    const from = after ?? task.session.seq;
    await this.check(given.url);
    return (await this.#of(task.session)).add(task, given, wishes, from);
  }

  async get({ session, id: taskId }: TaskRecord, id: string): Promise<TaskPushNotificationConfig> {
    return (await this.#of(session)).get(taskId, id);
  }

  async list({ session, id: taskId }: TaskRecord): Promise<TaskPushNotificationConfig[]> {
    return (await this.#of(session)).list(taskId);
  }

  async delete({ session, id: taskId }: TaskRecord, id: string): Promise<void> {
    await (await this.#of(session)).delete(taskId, id);
  }

  #of(session: Session): Promise<SessionWebhooks> {
    const known = this.#bySession.get(session);
    if (known) return known;
    const opened = SessionWebhooks.open(session, this.#options);
    this.#bySession.set(session, opened);
    // A store that was away may be asked again.
    opened.catch(() => this.#bySession.delete(session));
    return opened;
  }
}
