import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import * as z from 'zod';
import type { Principal } from '../../../auth/principal.js';
import { AppError } from '../../../domain/errors.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { Session } from '../../../session/session.js';
import type { Relay } from '../../../tasks/relay.js';
import type { SessionView } from '../../../tasks/stored-session.js';
import { need } from '../../guards/scopes.js';
import { SessionWebhooks, type SessionWebhooksOptions } from '../push/session-webhooks.js';
import { isOwn, type PushWishes, readSealed, type RegisteredPush, shownTo, unsealed } from '../push/webhook.js';
import type { TargetCheck } from '../push/safe-target.js';
import type { TaskRecord } from '../tasks/task-book.js';

export type PushConfigsOptions = SessionWebhooksOptions & {
  readonly targets: TargetCheck;
  /** Registers webhooks where their task runs, if that may be another server. */
  readonly relay?: Relay;
};

const adding = 'webhook-add';
const deleting = 'webhook-delete';
const addedWebhook = z.object({
  taskId: z.string(),
  config: z.unknown(),
  wishes: z.object({
    version: z.string(),
    updates: z.enum(['settled', 'all']),
    isExtended: z.boolean(),
    by: z.string(),
  }),
  after: z.number(),
});
const deletedWebhook = z.object({ taskId: z.string(), id: z.string() });

/** The webhooks of all sessions in memory. */
export class PushConfigs {
  readonly #options: PushConfigsOptions;
  readonly #bySession = new WeakMap<Session, Promise<SessionWebhooks>>();

  constructor(options: PushConfigsOptions) {
    this.#options = options;
    options.relay?.onAsked(adding, (session, about) => this.#addFor(session, addedWebhook.parse(about)));
    options.relay?.onAsked(deleting, (session, about) => this.#deleteFor(session, deletedWebhook.parse(about)));
  }

  /** Rejects with the reason if the URL must not be called. */
  async check(url: string): Promise<void> {
    await this.#options.targets.resolve(url);
  }

  /** Continues with what was still to be sent when the session was last in memory. */
  resume(session: Session): void {
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
    const { session, id: taskId } = task;
    if (session instanceof Session) return (await this.#of(session)).add(task, given, wishes, from);
    const about = { taskId, config: TaskPushNotificationConfig.toJSON(given), wishes, after: from };
    return TaskPushNotificationConfig.fromJSON(await this.#ask(session.id, adding, about));
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
    const { session, id: taskId } = task;
    if (session instanceof Session) await (await this.#of(session)).delete(taskId, id);
    else await this.#ask(session.id, deleting, { taskId, id });
  }

  async #registeredFor({ session, id: taskId }: TaskRecord<SessionView>): Promise<RegisteredPush[]> {
    if (session instanceof Session) return (await this.#of(session)).list(taskId);
    const { store, seal } = this.#options;
    return readSealed(await store.webhooks(session.id))
      .flatMap((stored) => unsealed(stored, seal)?.registered ?? [])
      .filter(({ config }) => config.taskId === taskId);
  }

  #ask(sessionId: string, op: string, about: object): Promise<unknown> {
    const { relay } = this.#options;
    if (!relay) throw new AppError('task-elsewhere', `task "${sessionId}" is run by another server`);
    return relay.ask(sessionId, op, about);
  }

  /** For another server of the cluster, which has checked the URL and its caller. */
  async #addFor(session: Session, { taskId, config, wishes, after }: z.infer<typeof addedWebhook>): Promise<unknown> {
    const task = await this.#options.taskOf(session, taskId);
    if (!task) throw new AppError('unknown-task', `Task not found: "${taskId}"`);
    const given = TaskPushNotificationConfig.fromJSON(config);
    const webhooks = await this.#of(session);
    const added = await webhooks.add(task, given, wishes, after).catch((error: unknown) => {
      throw error instanceof RequestMalformedError ? new AppError('bad-request', error.message) : error;
    });
    return TaskPushNotificationConfig.toJSON(added);
  }

  async #deleteFor(session: Session, { taskId, id }: z.infer<typeof deletedWebhook>): Promise<void> {
    await (await this.#of(session)).delete(taskId, id);
  }

  #of(session: Session): Promise<SessionWebhooks> {
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
