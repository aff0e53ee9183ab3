import { AppError } from '../domain/errors.js';
import type { EventBody } from '../domain/events.js';
import type { TurnRequest } from '../engine/engine.js';
import { defined } from '../util/defined.js';

export type Accepted = {
  readonly turnId: string;
  /** 0: it is running; 1: it is next. */
  readonly position: number;
  /** The same `messageId` was already accepted; nothing was added. */
  readonly duplicate?: true;
};

export type QueuedTurn = { readonly turnId: string; readonly request: TurnRequest };

/** Turns that wait for the one before them: first in, first out, never merged. */
export class PromptQueue {
  readonly #turns: QueuedTurn[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The next one first. */
  get turns(): readonly QueuedTurn[] {
    return this.#turns;
  }

  get length(): number {
    return this.#turns.length;
  }

  /** Returns the turn's position; 1 is next. */
  add(turn: QueuedTurn): number {
    if (this.#turns.length >= this.#limit) {
      throw new AppError('queue-full', `${this.#limit} prompts are already waiting; try again when some have run`);
    }
    return this.#turns.push(turn);
  }

  /** 0 if the turn is not waiting. */
  positionOf(turnId: string): number {
    return this.#turns.findIndex((turn) => turn.turnId === turnId) + 1;
  }

  next(): QueuedTurn | undefined {
    return this.#turns.shift();
  }

  remove(turnId: string): QueuedTurn | undefined {
    const index = this.#turns.findIndex((turn) => turn.turnId === turnId);
    return index < 0 ? undefined : this.#turns.splice(index, 1)[0];
  }

  clear(): readonly QueuedTurn[] {
    return this.#turns.splice(0);
  }
}

/** The prompt event of a turn: with its position while it waits, without one when it starts. */
export function promptOf({ request }: QueuedTurn, queued?: number): EventBody {
  const { kind, turnId: _turnId, ...prompt } = request;
  return {
    type: 'prompt',
    ...prompt,
    ...defined({ queued }),
    ...(kind === 'command' ? { isCommand: true } : {}),
  };
}
