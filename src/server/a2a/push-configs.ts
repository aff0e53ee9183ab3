import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { Watching } from '../push/push-sender.js';
import type { TaskRecord } from './task-book.js';

export type RegisteredPush = PushWishes & { readonly config: TaskPushNotificationConfig };

/** How the client that registers a webhook wants to be told. */
export type PushWishes = {
  /** The version of A2A whose form the notices have. */
  readonly version: string;
  /** `settled`: that the task waits for an answer or is over. */
  readonly updates: 'settled' | 'all';
  readonly isExtended: boolean;
};

export type PushTargets = {
  /** Throws, with the reason, for an address that must not be called. */
  check(url: string): Promise<void>;
  /** Starts to tell the webhook what happens to this task after this event, or from now on. */
  watch(task: TaskRecord, registered: RegisteredPush, after?: number): Watching;
};

const maxPerTask = 10;
const maxTasks = 1000;

type Entry = { readonly config: TaskPushNotificationConfig; readonly watching: Watching };

/** Webhooks by task. Those of the oldest tasks are forgotten first. */
export class PushConfigs {
  readonly #targets: PushTargets;
  readonly #byTask = new Map<string, Map<string, Entry>>();

  constructor(targets: PushTargets) {
    this.#targets = targets;
  }

  check(url: string): Promise<void> {
    return this.#targets.check(url);
  }

  async create(
    task: TaskRecord,
    given: TaskPushNotificationConfig,
    wishes: PushWishes,
    after?: number,
  ): Promise<TaskPushNotificationConfig> {
    await this.#targets.check(given.url);
    const config = { ...given, taskId: task.id, id: given.id === '' ? randomUUID() : given.id };
    const configs = this.#byTask.get(task.id) ?? new Map<string, Entry>();
    if (configs.size >= maxPerTask && !configs.has(config.id)) {
      throw new RequestMalformedError(`a task can have at most ${maxPerTask} webhooks`);
    }
    if (this.#byTask.size >= maxTasks && !this.#byTask.has(task.id)) this.#forgetOldest();
    configs.get(config.id)?.watching.stop();
    const watching = this.#targets.watch(task, { config, ...wishes }, after);
    const entry = { config, watching };
    this.#byTask.set(task.id, configs.set(config.id, entry));
    void forgetSecrets(configs, entry);
    return config;
  }

  get(taskId: string, id: string): TaskPushNotificationConfig {
    const configs = this.#byTask.get(taskId);
    const [first] = configs?.values() ?? [];
    const found = configs?.get(id) ?? (id === '' || id === 'default' ? first : undefined);
    if (!found) throw new TaskNotFoundError(`task "${taskId}" has no webhook "${id}"`);
    return found.config;
  }

  list(taskId: string): TaskPushNotificationConfig[] {
    return [...(this.#byTask.get(taskId)?.values() ?? [])].map(({ config }) => config);
  }

  delete(taskId: string, id: string): void {
    this.#byTask.get(taskId)?.get(id)?.watching.stop();
    this.#byTask.get(taskId)?.delete(id);
  }

  #forgetOldest(): void {
    const [oldest] = this.#byTask;
    if (!oldest) return;
    for (const { watching } of oldest[1].values()) watching.stop();
    this.#byTask.delete(oldest[0]);
  }
}

/** When the task is over and the webhook was told, all that is left of it is that it was there. */
async function forgetSecrets(configs: Map<string, Entry>, entry: Entry): Promise<void> {
  const { config, watching } = entry;
  await watching.done;
  if (configs.get(config.id) !== entry) return;
  configs.set(config.id, { ...entry, config: { ...config, token: '', authentication: undefined } });
}
