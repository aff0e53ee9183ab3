import { randomUUID } from 'node:crypto';
import { AppError, toAppError } from '../../domain/errors.js';
import { isTurnEnd, type Origin, type SessionEvent, type TurnEnd, type TurnState } from '../../domain/events.js';
import type { SessionPort } from '../../session/session-port.js';
import { defined } from '../../util/defined.js';

export type TurnOutcome = { readonly state: TurnEnd | 'input-required'; readonly error?: string };

/** The outcome of a prompt. Neither promise rejects. */
export type OwnTurn = {
  /** The seq of the prompt event when its turn starts. Undefined if it never does. */
  readonly started: Promise<number | undefined>;
  readonly ended: Promise<TurnOutcome>;
};

type OwnPrompt = {
  turnId?: string;
  isQueued: boolean;
  readonly start: (seq: number | undefined) => void;
  readonly end: (outcome: TurnOutcome) => void;
};

/** The prompts of one client in one session, until their turns end. */
export class OwnPrompts {
  readonly #session: SessionPort;
  readonly #origin: Origin;
  readonly #prompts = new Map<string, OwnPrompt>();

  constructor(session: SessionPort, origin: Origin) {
    this.#session = session;
    this.#origin = origin;
  }

  has(messageId: string | undefined): boolean {
    return messageId !== undefined && this.#prompts.has(messageId);
  }

  /** The signal cancels the prompt, unless it only means that the client has disconnected. */
  async submit(kind: 'prompt' | 'command', text: string, signal: AbortSignal): Promise<OwnTurn> {
    const messageId = randomUUID();
    const takeBack = (): void => {
      // If the session ends here meanwhile, so does the prompt.
      if (isCancelRequest(signal.reason)) this.#cancel(this.#prompts.get(messageId)?.turnId).catch(() => {});
    };
    const { ended: sessionEnded } = this.#session;
    const fail = (): void => {
      const error = toAppError(sessionEnded.reason).message;
      this.#prompts.get(messageId)?.end({ state: 'failed', error });
    };
    const forget = (): void => {
      signal.removeEventListener('abort', takeBack);
      sessionEnded.removeEventListener('abort', fail);
      this.#prompts.delete(messageId);
    };
    let start: OwnPrompt['start'] = () => {};
    const started = new Promise<number | undefined>((resolve) => (start = resolve));
    // Registered before it is submitted, because the session sends the event immediately.
    const ended = new Promise<TurnOutcome>((resolve) => {
      const end: OwnPrompt['end'] = (outcome) => {
        forget();
        start(undefined);
        resolve(outcome);
      };
      this.#prompts.set(messageId, { isQueued: false, start, end });
    });
    signal.addEventListener('abort', takeBack, { once: true });
    sessionEnded.addEventListener('abort', fail, { once: true });
    try {
      await this.#session.send({ kind, text, origin: this.#origin, messageId });
    } catch (error) {
      forget();
      throw error;
    }
    return { started, ended };
  }

  /** `session/cancel`: cancels this client's queued prompts. If it has none, or its own turn runs, stops the running turn. */
  async cancel(): Promise<void> {
    const hasTurn = [...this.#prompts.values()].some(({ isQueued }) => !isQueued);
    const hasWaited = await this.takeBack();
    if (hasTurn || !hasWaited) await this.#cancel(undefined);
  }

  /** Cancels this client's queued prompts. Returns whether there were any. */
  async takeBack(): Promise<boolean> {
    const queued = [...this.#prompts.values()].filter(({ isQueued }) => isQueued);
    await Promise.all(queued.map(({ turnId }) => this.#cancel(turnId)));
    return queued.length > 0;
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'prompt') {
      const own = event.messageId === undefined ? undefined : this.#prompts.get(event.messageId);
      if (!own) return;
      own.isQueued = event.queued !== undefined;
      if (event.turnId !== undefined) own.turnId = event.turnId;
      if (!own.isQueued) own.start(event.seq);
    } else if (event.type === 'turn' && this.#isOver(event.state)) {
      const { state, error } = event;
      const own = [...this.#prompts.values()].find(({ turnId }) => turnId !== undefined && turnId === event.turnId);
      own?.end({ state, ...defined({ error }) });
    }
  }

  /** The client stops following. Its prompts continue without it. */
  leave(): void {
    for (const { end } of this.#prompts.values()) end({ state: 'canceled' });
  }

  /** For ACP, a turn that needs another message is over. One that waits for an answer is not. */
  #isOver(state: TurnState): state is TurnOutcome['state'] {
    return isTurnEnd(state) || (state === 'input-required' && this.#session.snapshot.pending.length === 0);
  }

  async #cancel(turnId: string | undefined): Promise<void> {
    try {
      await this.#session.sendCancel(this.#origin, turnId);
    } catch (error) {
      // It has just ended.
      if (!(error instanceof AppError) || error.code !== 'not-cancelable') throw error;
    }
  }
}

/** A lost connection also aborts the signal of a request, and that must not stop a turn that others follow. */
function isCancelRequest(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'code' in reason && reason.code === -32800;
}
