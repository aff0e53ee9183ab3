import type { Session } from '../session/session.js';

/** Requests about a task that only the server that runs it can answer, whichever of several servers that is. */
export type Relay = {
  ask(taskId: string, op: string, about: unknown): Promise<unknown>;
  /** How this server answers them for the tasks that it runs. */
  onAsked(op: string, act: (session: Session, about: unknown) => Promise<unknown>): void;
};
