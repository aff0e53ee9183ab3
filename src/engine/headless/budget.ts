/** How much one task may cost. Undefined: no limit. */
export type BudgetLimits = {
  /** Model calls per turn. */
  readonly callsPerTurn?: number | undefined;
  readonly tokensPerTask?: number | undefined;
  readonly turnsPerTask?: number | undefined;
};

export type BudgetUse = { readonly turns: number; readonly tokens: number };

/** Counts what a task has used and says when the limit is reached. */
export class Budget {
  readonly #limits: BudgetLimits;
  #turns: number;
  #tokens: number;
  #calls = 0;

  constructor(limits: BudgetLimits, used: BudgetUse = { turns: 0, tokens: 0 }) {
    this.#limits = limits;
    this.#turns = used.turns;
    this.#tokens = used.tokens;
  }

  /** Saved in checkpoints, so a restart does not reset it. */
  get used(): BudgetUse {
    return { turns: this.#turns, tokens: this.#tokens };
  }

  startTurn(): void {
    this.#turns++;
    this.#calls = 0;
  }

  startCall(): void {
    this.#calls++;
  }

  spend(tokens: number): void {
    this.#tokens += tokens;
  }

  /** Why the model may not be called (again). Undefined if it may. */
  get exhausted(): string | undefined {
    const { callsPerTurn, tokensPerTask, turnsPerTask } = this.#limits;
    if (turnsPerTask !== undefined && this.#turns > turnsPerTask) return `the task has used its ${turnsPerTask} turns`;
    if (tokensPerTask !== undefined && this.#tokens >= tokensPerTask)
      return `the task has used ${this.#tokens} of its ${tokensPerTask} tokens`;
    if (callsPerTurn !== undefined && this.#calls >= callsPerTurn)
      return `the turn has called the model ${callsPerTurn} times, which is its limit`;
    return undefined;
  }
}
