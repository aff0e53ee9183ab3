import type { Config } from '@google/gemini-cli-core';
import type { Command } from '../../domain/command.js';
import type { Usage } from '../../domain/events.js';
import type { ApprovalRules } from '../gemini/translate-approval.js';
import type { Budget } from './budget.js';
import type { Checkpoint } from './checkpoint.js';
import type { Core } from './core.js';

/** What a session needs of core, once it needs it. */
export type OpenedCore = {
  readonly core: Core;
  readonly config: Config;
  readonly rules: ApprovalRules;
};

export type HeadlessOptions = {
  readonly open: () => Promise<OpenedCore>;
  /** They may be more once core is open. */
  readonly commands: () => HeadlessCommands;
  readonly budget: Budget;
  /** Whether a client may choose that tools run without being asked about. */
  readonly mayAutoExecute?: boolean;
  readonly checkpoint?: Checkpoint;
  readonly save: (checkpoint: Checkpoint) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export type HeadlessCommands = {
  list(): readonly Command[];
  refusal(line: string): string | undefined;
  /** Returns a prompt for the model, when the command is one. */
  run(line: string, opened: OpenedCore, run: CommandRun): Promise<string | undefined>;
};

export type CommandRun = {
  /** Tokens of the session so far. */
  readonly usage: Usage;
  readonly say: (text: string) => void;
  /** What the command found, for programs. */
  readonly found: (name: string, data: Readonly<Record<string, unknown>>) => void;
  readonly signal: AbortSignal;
};
