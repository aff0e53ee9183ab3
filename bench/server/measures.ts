export type Measure = {
  /** Whether more of it is better. */
  readonly better: 'less' | 'more';
  /** `upstream`: so many times better than it. `floor`: at most so many times the floor. `itself`: at most this. */
  readonly goal?: { readonly against: 'upstream' | 'floor' | 'itself'; readonly value: number };
};

export type MeasureName = keyof typeof measures;

const less = (against: 'upstream' | 'floor' | 'itself', value: number): Measure => ({
  better: 'less',
  goal: { against, value },
});

/** What a person feels comes first. */
export const measures = {
  'plain A2A v0.3: first text, over that with the extension': less('itself', 1.1),
  'plain A2A v1.0: first text, over that with the extension': less('itself', 1.1),
  'approve to EXECUTING, ms': less('upstream', 2.5),
  'next turn to its first text, ms': less('upstream', 1.3),
  'new task to its first text, ms': less('upstream', 1.5),
  'tool call to question, ms': less('upstream', 1.2),
  'model to client, p50 ms': less('floor', 1.2),
  'model to client, p99 ms': less('floor', 1.3),
  '10 tasks at once, p50 ms': { better: 'less' },
  '10 tasks at once, p99 ms': { better: 'less' },
  '50 tasks at once, p50 ms': less('floor', 1),
  '50 tasks at once, p99 ms': less('floor', 1.5),
  '200 tasks at once, p50 ms': { better: 'less' },
  '200 tasks at once, p99 ms': { better: 'less' },
  '200 tasks at once, cores used': { better: 'more' },
  'chunks/s, 20 characters': { better: 'more', goal: { against: 'upstream', value: 9 } },
  'chunks/s, 200 characters': { better: 'more', goal: { against: 'upstream', value: 23 } },
  'CPU µs per chunk, 20 characters': { better: 'less' },
  'CPU µs per chunk, 200 characters': { better: 'less' },
  'POST /tasks, ms': { better: 'less' },
  'a new connection without a token costs, ms': less('itself', 0.5),
  'start to agent card, ms': less('upstream', 12),
  'start to first text, ms': less('upstream', 5.5),
  'memory when ready, MB': less('upstream', 7),
  'memory after a task, MB': less('upstream', 4.5),
  'memory at 50 running tasks, MB': less('upstream', 4),
  // V8 does not return all that a burst has taken.
  'memory at 50 running tasks, on a server that was busy, MB': less('upstream', 4),
  'heap per task created, MB': { better: 'less' },
  'heap per task after a turn, MB': { better: 'less' },
} as const satisfies Readonly<Record<string, Measure>>;
