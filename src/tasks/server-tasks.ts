import type { Origin } from '../domain/events.js';
import type { StoredArtifact, StoredTask, TaskPage, TaskQuery } from '../stores/store.js';
import type { Session } from '../session/session.js';
import type { CommandOutcome, TaskTools } from '../engine/task-engine.js';
import type { Sessions } from './sessions.js';
import type { TaskChange } from './task-changes.js';

export type { StoredArtifact, StoredTask, TaskPage, TaskQuery, TurnQuery } from '../stores/store.js';

/** What a server of many sessions also offers. On its routes a task is a session. */
export type ServerTasks = Sessions & {
  list(query: TaskQuery): Promise<TaskPage>;
  describe(id: string): Promise<StoredTask | undefined>;
  /** Stops and deletes a task. False if there was none. */
  remove(id: string): Promise<boolean>;
  artifacts(id: string): Promise<readonly StoredArtifact[]>;
  artifact(id: string, name: string): Promise<Uint8Array | undefined>;
  /** The tools of a task; opens its engine if needed. */
  tools(id: string): Promise<TaskTools>;

  /** Runs a command until it ends, in the named task or outside any task. */
  runCommand(request: CommandRequest): Promise<CommandOutcome>;

  /** Calls back with every session in memory, and with each new one before anyone else gets it. */
  onSession(listener: (session: Session) => void): void;

  /** Calls back when this server has stored a change of a task's record, or deleted a task. Returns the undo. */
  onChange(listener: (change: TaskChange) => void): () => void;

  readonly counts: { readonly running: number; readonly queued: number; readonly loaded: number };
  /** Rejects, with a reason for the client, while new work would be refused or could not be stored. */
  checkReady(): Promise<void>;
};

export type CommandRequest = {
  readonly command: string;
  readonly args: readonly string[];
  readonly taskId?: string;
  readonly origin?: Origin;
};
