import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { SessionPort } from '../../../session/session-port.js';
import type { TaskRecord } from '../tasks/task-book.js';
import type { ServerLog } from '../../../domain/server-log.js';
import type { PushSender, Watching } from './push-sender.js';
import {
  closed,
  isOwn,
  type PushWishes,
  readSealed,
  type RegisteredPush,
  sealed,
  type SealedWebhook,
  unsealed,
  type Webhook,
} from './webhook.js';
import type { WebhookPlace } from './webhook-place.js';

export type SessionWebhooksOptions = WebhookPlace & {
  readonly sender: PushSender;
  readonly log: ServerLog;
  readonly taskOf: (session: SessionPort, turnId: string) => Promise<TaskRecord | undefined>;
};

const maxPerTask = 10;
/** Closed webhooks kept per session. The oldest are dropped first. */
const maxClosed = 100;

type Entry = { webhook: Webhook; watching?: Watching };

/** The webhooks of one session in memory. The store keeps them, so they continue when the session is loaded again. */
export class SessionWebhooks {
  readonly #session: SessionPort;
  readonly #options: SessionWebhooksOptions;
  readonly #entries = new Map<string, Entry>();
  /** Webhooks sealed with another server's key, kept unchanged. */
  readonly #foreign: SealedWebhook[] = [];
  #saving: Promise<void> = Promise.resolve();
  #nextSaving: Promise<void> | undefined;

  private constructor(session: SessionPort, options: SessionWebhooksOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Reads the stored webhooks of the session and continues with them. */
  static async open(session: SessionPort, options: SessionWebhooksOptions): Promise<SessionWebhooks> {
    const webhooks = new SessionWebhooks(session, options);
    await webhooks.#resume(readSealed(await options.store.webhooks(session.id)));
    return webhooks;
  }

  /** Resolves once it is stored. It gets all events after `after`. */
  async add(task: TaskRecord, given: TaskPushNotificationConfig, wishes: PushWishes, after: number) {
    const config = { ...given, taskId: task.id, id: given.id === '' ? randomUUID() : given.id };
    const key = keyOf(task.id, config.id);
    const known = this.#entries.get(key);
    if (!known && this.list(task.id).length >= maxPerTask)
      throw new RequestMalformedError(`a task can have at most ${maxPerTask} webhooks`);
    if (known && !isOwn(wishes.by, known.webhook.registered))
      throw new RequestMalformedError(`another caller has the webhook "${config.id}"; choose another id`);
    known?.watching?.stop();
    const entry: Entry = {
      webhook: { registered: { config, ...wishes }, progress: { after, tries: 0 }, isOpen: true },
    };
    this.#entries.set(key, entry);
    try {
      await this.#saveNow();
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
    if (this.#entries.get(key) === entry) this.#watch(entry, task);
    return config;
  }

  list(taskId: string): RegisteredPush[] {
    return [...this.#entries.values()]
      .map(({ webhook }) => webhook.registered)
      .filter(({ config }) => config.taskId === taskId);
  }

  async delete(taskId: string, id: string): Promise<void> {
    const key = keyOf(taskId, id);
    this.#entries.get(key)?.watching?.stop();
    if (this.#entries.delete(key)) await this.#saveNow();
  }

  async #resume(stored: readonly SealedWebhook[]): Promise<void> {
    const { seal, log, taskOf } = this.#options;
    for (const given of stored) {
      const webhook = unsealed(given, seal);
      if (!webhook) {
        this.#foreign.push(given);
        log.error('webhook was sealed with another key: see --seal-key', { task: given.taskId });
        continue;
      }
      const entry: Entry = { webhook };
      this.#entries.set(keyOf(given.taskId, given.id), entry);
      if (!webhook.isOpen) continue;
      const task = await taskOf(this.#session, given.taskId);
      if (task) this.#watch(entry, task);
      else {
        log.error('webhook abandoned: its task no longer exists', { task: given.taskId });
        this.#close(entry);
      }
    }
  }

  #watch(entry: Entry, task: TaskRecord): void {
    const { registered, progress } = entry.webhook;
    const { sender } = this.#options;
    entry.watching = sender.watch(task, registered, {
      from: progress,
      onProgress: (next) => {
        entry.webhook = { ...entry.webhook, progress: next };
        this.#saveLater();
      },
      onDone: () => this.#close(entry),
    });
  }

  #close(entry: Entry): void {
    entry.webhook = closed(entry.webhook);
    this.#saveLater();
  }

  /** A failed save only means that notices are sent again after a restart, so sending continues. */
  #saveLater(): void {
    this.#save().catch((cause: unknown) => {
      if (!this.#session.ended.aborted)
        this.#options.log.error('progress of webhooks not stored', { task: this.#session.id, cause });
    });
  }

  /** If the session has left this server meanwhile, the reason for that says more than the store's refusal. */
  async #saveNow(): Promise<void> {
    try {
      await this.#save();
    } catch (error) {
      throw this.#session.ended.aborted ? this.#session.ended.reason : error;
    }
  }

  /** One write at a time. Changes made during a write go into the next one. */
  #save(): Promise<void> {
    this.#nextSaving ??= this.#saving
      .catch(() => undefined)
      .then(() => {
        this.#nextSaving = undefined;
        this.#saving = this.#write();
        return this.#saving;
      });
    return this.#nextSaving;
  }

  async #write(): Promise<void> {
    const { store, seal } = this.#options;
    this.#forgetOldest();
    const own = [...this.#entries.values()].map(({ webhook }) => sealed(webhook, seal));
    const body = [...this.#foreign, ...own];
    await store.saveWebhooks(this.#session.id, { areOpen: body.some(({ isOpen }) => isOpen), body });
  }

  #forgetOldest(): void {
    const old = [...this.#entries].filter(([, { webhook }]) => !webhook.isOpen);
    for (const [key] of old.slice(0, Math.max(0, old.length - maxClosed))) this.#entries.delete(key);
  }
}

function keyOf(taskId: string, id: string): string {
  return JSON.stringify([taskId, id]);
}
