/** One line of a bench's table; the keys are the columns. */
export type Row = Readonly<Record<string, string | number>>;

export type Bench = {
  readonly name: string;
  /** What the figures answer, in a sentence. */
  readonly question: string;
  /** What we want to see; printed, never enforced: a noisy machine must not fail a build. */
  readonly target: string;
  run(): Promise<readonly Row[]>;
};
