import type { ToolCall } from '../../domain/tool-call.js';

type Question = { readonly id: string | undefined; isAnswered: boolean };

/** The questions of a turn that nobody has answered. Engines repeat a question for a while after its answer. */
export class OpenQuestions {
  /** By call: the newest question about it. */
  readonly #newest = new Map<string, Question>();
  /** Calls of an earlier life that were answered before the engine asked again: that is the question that has its answer. */
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
