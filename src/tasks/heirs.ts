import type { StoredTask } from '../stores/store.js';

/** The servers that continue the tasks of one that stops. */
export type Heirs = {
  /** The server for this task. Undefined if there is none. */
  of(task: StoredTask): string | undefined;
  /** The task was given to this server. */
  given(taskId: string, heir: string): void;
};
