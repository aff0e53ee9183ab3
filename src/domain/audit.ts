import type { ErrorCode } from './errors.js';
import type { Origin } from './events.js';

/** Who did it: as much as is known. A caller that was refused may have only an address. */
export type Doer = Partial<Origin> & { readonly address?: string };

type InTurn = { readonly taskId: string; readonly turnId?: string };

/** What is recorded of each action. Prompts and replies are not: deleting a task must delete the conversation. */
export type AuditAction =
  | (InTurn & { readonly action: 'prompt'; readonly characters: number })
  /** A slash command; without its arguments. `taskId` is absent outside any task. */
  | (Partial<InTurn> & { readonly action: 'command'; readonly command: string })
  | (InTurn & {
      readonly action: 'answer';
      readonly callId: string;
      readonly tool: string;
      /** What the tool was to do, in one short line. */
      readonly about?: string;
      readonly option: string;
    })
  | (InTurn & { readonly action: 'cancel' })
  /** What has changed of the two. */
  | (InTurn & { readonly action: 'settings'; readonly mode?: string; readonly model?: string })
  | { readonly action: 'delete'; readonly taskId: string }
  /** A client opens a session. One that connects again soon is not recorded again. */
  | { readonly action: 'connect'; readonly taskId: string }
  /** The server stops, and lets this many turns finish. */
  | { readonly action: 'drain'; readonly running: number }
  | {
      readonly action: 'token-create';
      readonly token: string;
      readonly scopes: readonly string[];
      readonly expiresAt?: string;
    }
  | { readonly action: 'token-revoke'; readonly token: string }
  | {
      readonly action: 'refuse';
      readonly code: ErrorCode;
      readonly reason: string;
      /** How many more like it came since the last entry. */
      readonly repeated?: number;
    };

export type AuditEntry = AuditAction & { readonly at: string; readonly by: Doer };

export const auditActions = [
  'connect',
  'prompt',
  'command',
  'answer',
  'cancel',
  'settings',
  'delete',
  'drain',
  'token-create',
  'token-revoke',
  'refuse',
] as const satisfies readonly AuditAction['action'][];

export type AuditQuery = {
  /** From this time on; ISO 8601 in UTC. */
  readonly since?: string;
  /** Before this time. */
  readonly until?: string;
  readonly action?: AuditAction['action'];
  readonly principal?: string;
  readonly taskId?: string;
};

/** An append-only record of who did what. It outlives the tasks. */
export type AuditLog = {
  /** Returns immediately; the entry is written in the background. */
  add(entry: AuditEntry): void;
  /** Oldest first. */
  read(query: AuditQuery): AsyncIterable<AuditEntry>;
};
