import type { ToolCall } from '../../domain/tool-call.js';

type Question = { readonly id: string | undefined; isAnswered: boolean };

/** The unanswered questions of a turn. Engines repeat a question for a while after its answer. */
export class OpenQuestions {
  /** The newest question about each call. */
  readonly #newest = new Map<string, Question>();
  /** Calls that were answered after a restart, before the engine asked again. Their next question is already answered. */
  readonly #answeredBefore = new Set<string>();

  update({ id: callId, correlationId, status }: ToolCall): void {
    const isAnswered = this.#answeredBefore.delete(callId);
    if (status !== 'waiting') this.#newest.delete(callId);
    else if (!this.#newest.has(callId) || this.#newest.get(callId)?.id !== correlationId)
      this.#newest.set(callId, { id: correlationId, isAnswered });
  }

  answer(callId: string): void {
    const question = this.#newest.get(callId);
    if (question) question.isAnswered = true;
    else this.#answeredBefore.add(callId);
  }

  get areOpen(): boolean {
    return [...this.#newest.values()].some(({ isAnswered }) => !isAnswered);
  }

  clear(): void {
    this.#newest.clear();
    this.#answeredBefore.clear();
  }
}
