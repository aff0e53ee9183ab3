import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { RecentMap } from '../../util/recent-map.js';
import type { TaskRecord } from './task-book.js';

export type RegisteredPush = { readonly config: TaskPushNotificationConfig; readonly version: string };

export type PushTargets = {
  /** Throws, with the reason, for an address that must not be called. */
  check(url: string): Promise<void>;
  /** Starts to tell the webhooks of this task what happens after this event, or from now on. */
  watch(task: TaskRecord, after?: number): void;
};

const maxPerTask = 10;
const maxTasks = 1000;

/** Webhooks by task. Those of the oldest tasks are forgotten first. */
export class PushConfigs {
  readonly #targets: PushTargets;
  readonly #byTask = new RecentMap<string, Map<string, RegisteredPush>>(maxTasks);

  constructor(targets: PushTargets) {
    this.#targets = targets;
  }

  check(url: string): Promise<void> {
    return this.#targets.check(url);
  }

  async create(
    task: TaskRecord,
    given: TaskPushNotificationConfig,
    version: string,
    after?: number,
  ): Promise<TaskPushNotificationConfig> {
    await this.#targets.check(given.url);
    const config = { ...given, taskId: task.id, id: given.id === '' ? randomUUID() : given.id };
    const configs = this.#byTask.get(task.id) ?? new Map<string, RegisteredPush>();
    if (configs.size >= maxPerTask && !configs.has(config.id)) {
      throw new RequestMalformedError(`a task can have at most ${maxPerTask} webhooks`);
    }
    this.#byTask.set(task.id, configs.set(config.id, { config, version }));
    this.#targets.watch(task, after);
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
    return this.of(taskId).map(({ config }) => config);
  }

  of(taskId: string): RegisteredPush[] {
    return [...(this.#byTask.get(taskId)?.values() ?? [])];
  }

  delete(taskId: string, id: string): void {
    this.#byTask.get(taskId)?.delete(id);
  }
}
