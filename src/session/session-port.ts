import type { Settable } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import type { Origin, TurnState } from '../domain/events.js';
import type { Answer } from '../domain/tool-call.js';
import type { TurnRequest } from '../engine/engine.js';
import type { AnsweredCall } from './calls/answered-calls.js';
import type { Words } from './calls/approval-desk.js';
import type { Accepted } from './prompt-queue.js';
import { SessionReader } from './session-reader.js';
import type { Snapshot } from './snapshot.js';

/** `duplicate`: the same answer was accepted before. */
export type AcceptedAnswer = { readonly callId: string; readonly duplicate?: true };

/**
 * A session as every surface sees it: what can be read of it, and what its clients may do. Whatever they do is decided by
 * the hub and resolves once a crash cannot undo it.
 */
export abstract class SessionPort extends SessionReader {
  /** Model and approval mode. Undefined if clients cannot change them. */
  abstract readonly settings: Settable | undefined;
  /** The origin of the engine's own actions: the terminal in live mode. */
  abstract readonly engineOrigin: Origin;
  abstract readonly startedAt: string;

  /** A prompt or a slash command. A repeated message returns the turn that it started. */
  abstract send(request: TurnRequest): Promise<Accepted>;

  /** The first answer wins; a later one rejects with `already-answered` and says who was first. */
  abstract sendAnswer(id: string, answer: Answer, by: Origin): Promise<AcceptedAnswer>;

  /** Cancels the running turn, or the named one, even if it is queued or paused. */
  abstract sendCancel(by: Origin, turnId?: string): Promise<void>;

  /** The id of the call that this message answered in words, if any. Throws `message-id-used` if its text was different. */
  abstract answeredIn(message: Words): string | undefined;

  /** Everything a late joiner needs: the state, every open question, and what the session is about. */
  abstract get snapshot(): Snapshot;
  abstract get state(): TurnState;
  abstract get queued(): number;
  abstract get commands(): readonly Command[];

  /** Aborts once no more events will follow here; its reason is the error that says why. */
  abstract get ended(): AbortSignal;

  /** Resolves once it shows everything that any client may know. A session that runs here always does. */
  async refresh(): Promise<void> {}

  /** The answer to a call, if it is still remembered. */
  answerTo(id: string): AnsweredCall | undefined {
    return this.recall.state.answered.find(id);
  }
}
