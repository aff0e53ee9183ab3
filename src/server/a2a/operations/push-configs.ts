import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { Principal } from '../../../auth/principal.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { SessionPort } from '../../../session/session-port.js';
import type { SessionView } from '../../../tasks/stored-session.js';
import { need } from '../../guards/scopes.js';
import { SessionWebhooks, type SessionWebhooksOptions } from '../push/session-webhooks.js';
import { isOwn, type PushWishes, readSealed, type RegisteredPush, shownTo, unsealed } from '../push/webhook.js';
import type { TargetCheck } from '../push/safe-target.js';
import type { TaskRecord } from '../tasks/task-book.js';

export type PushConfigsOptions = SessionWebhooksOptions & { readonly targets: TargetCheck };

/** The webhooks of all sessions in memory. */
export class PushConfigs {
  readonly #options: PushConfigsOptions;
  readonly #bySession = new WeakMap<SessionPort, Promise<SessionWebhooks>>();

  constructor(options: PushConfigsOptions) {
    this.#options = options;
  }

  /** Rejects with the reason if the URL must not be called. */
  async check(url: string): Promise<void> {
    await this.#options.targets.resolve(url);
  }

  /** Continues with what was still to be sent when the session was last in memory. */
  resume(session: SessionPort): void {
    this.#of(session).catch((cause: unknown) => {
      if (!session.ended.aborted) this.#options.log.error('webhooks not resumed', { task: session.id, cause });
    });
  }

  /** The webhook gets the events after this one. By default, the current state if the task waits or is over, and new events. */
  async create(
    task: TaskRecord,
    given: TaskPushNotificationConfig,
    wishes: PushWishes,
    after?: number,
  ): Promise<TaskPushNotificationConfig> {
    const from = after ?? beforeNow(task);
    await this.check(given.url);
    return (await this.#of(task.session)).add(task, given, wishes, from);
  }

  async get(task: TaskRecord<SessionView>, id: string, principal: Principal): Promise<TaskPushNotificationConfig> {
    const configs = await this.list(task, principal);
    const isDefault = id === '' || id === 'default';
    const found = configs.find((config) => config.id === id) ?? (isDefault ? configs[0] : undefined);
    if (!found) throw new TaskNotFoundError(`task "${task.id}" has no webhook "${id}"`);
    return found;
  }

  async list(task: TaskRecord<SessionView>, { id }: Principal): Promise<TaskPushNotificationConfig[]> {
    return (await this.#registeredFor(task)).map((registered) => shownTo(id, registered));
  }

  /** Only whoever registered a webhook may delete it, and `admin`. */
  async delete(task: TaskRecord, id: string, principal: Principal): Promise<void> {
    const found = (await this.#registeredFor(task)).find(({ config }) => config.id === id);
    if (found && !isOwn(principal.id, found)) need(principal, 'admin');
    await (await this.#of(task.session)).delete(task.id, id);
  }

  async #registeredFor({ session, id: taskId }: TaskRecord<SessionView>): Promise<RegisteredPush[]> {
    if (session instanceof SessionPort) return (await this.#of(session)).list(taskId);
    const { store, seal } = this.#options;
    return readSealed(await store.webhooks(session.id))
      .flatMap((stored) => unsealed(stored, seal)?.registered ?? [])
      .filter(({ config }) => config.taskId === taskId);
  }

  #of(session: SessionPort): Promise<SessionWebhooks> {
    const known = this.#bySession.get(session);
    if (known) return known;
    const opened = SessionWebhooks.open(session, this.#options);
    this.#bySession.set(session, opened);
    // Allow a retry after the store was unavailable.
    opened.catch(() => this.#bySession.delete(session));
    return opened;
  }
}

/** A task that waits or is over may have become so while the request was on its way: its webhook hears of that, too. */
function beforeNow({ session, id }: TaskRecord): number {
  const last = session.happenedAfter(0).findLast(({ type, turnId }) => type === 'turn' && turnId === id);
  return last?.type === 'turn' && isSettled(last.state) ? last.seq - 1 : session.seq;
}
