import type { Config } from '@google/gemini-cli-core';
import type { Command } from '../../domain/command.js';
import type { Usage } from '../../domain/events.js';
import type { ApprovalRules } from '../gemini/translate-approval.js';
import type { Budget } from './budget.js';
import type { Checkpoint } from './checkpoint.js';
import type { Core } from './core/core.js';

/** What a session needs from core, opened on first use. */
export type OpenedCore = {
  readonly core: Core;
  readonly config: Config;
  readonly rules: ApprovalRules;
};

export type HeadlessOptions = {
  readonly open: () => Promise<OpenedCore>;
  /** There may be more commands once core is open. */
  readonly commands: () => HeadlessCommands;
  readonly budget: Budget;
  /** Whether clients may choose to run tools without asking. */
  readonly mayAutoExecute?: boolean;
  readonly checkpoint?: Checkpoint;
  readonly save: (checkpoint: Checkpoint) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export type HeadlessCommands = {
  list(): readonly Command[];
  refusal(line: string): string | undefined;
  /** Returns a prompt for the model if the command produces one. */
  run(line: string, opened: OpenedCore, run: CommandRun): Promise<string | undefined>;
};

export type CommandRun = {
  /** The session's tokens so far. */
  readonly usage: Usage;
  readonly say: (text: string) => void;
  /** Receives the command's result in a form for programs. */
  readonly found: (name: string, data: Readonly<Record<string, unknown>>) => void;
  readonly signal: AbortSignal;
};
