/** One line of a bench's table; the keys are the columns. */
export type Row = Readonly<Record<string, string | number>>;

export type Bench = {
  readonly name: string;
  /** The question that the figures answer, in one sentence. */
  readonly question: string;
  /** The goal. It is printed but never enforced: a noisy machine must not fail a build. */
  readonly target: string;
  run(): Promise<readonly Row[]>;
};
