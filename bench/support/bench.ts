/** One line of a bench's table; the keys are the columns. */
export type Row = Readonly<Record<string, string | number>>;

export type BenchOptions = {
  /** How long a bench that is asked for a number of turns goes on. */
  readonly turns?: number;
  /** Compares what is on the heap, which costs the process that is measured memory of its own. */
  readonly snapshots?: boolean;
  /** For a developer's loop: fewer rounds, and without what takes minutes. */
  readonly isQuick: boolean;
  /** Says what is being measured now. */
  readonly say: (progress: string) => void;
};

export type Bench = {
  readonly name: string;
  /** The question that the figures answer, in one sentence. */
  readonly question: string;
  /** The goal. It is printed but never enforced: a noisy machine must not fail a build. */
  readonly target: string;
  /** What must be there, besides Node. */
  readonly needs?: string;
  run(options: BenchOptions): Promise<readonly Row[]>;
};
