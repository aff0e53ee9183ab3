import type { Row } from './bench.js';
import { typicalPercentile } from './statistics.js';

/** A row with one kind of latency and its ratio to the peer's. Takes the samples of each round. */
export function latencyRow(what: string, rounds: readonly number[][], peer: readonly number[][]): Row {
  const [p50, p99] = [typicalPercentile(rounds, 0.5), typicalPercentile(rounds, 0.99)];
  return {
    what,
    samples: rounds.flat().length,
    'p50 ms': p50,
    'p99 ms': p99,
    'p50 over plain': p50 / typicalPercentile(peer, 0.5),
    'p99 over plain': p99 / typicalPercentile(peer, 0.99),
  };
}
