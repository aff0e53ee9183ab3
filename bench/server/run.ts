import type { ServerProcess } from '../support/server-process.js';
import type { Agent } from './agent.js';
import type { Figures } from './figures.js';
import type { PeerName, SideName } from './sides.js';

export type Running = { readonly side: SideName; readonly process: ServerProcess; readonly agent: Agent };

/** What every part of the bench needs. */
export type Run = {
  readonly start: (side: SideName, canInspect?: boolean) => Promise<Running>;
  /** Those that take part. */
  readonly peers: readonly PeerName[];
  /** Measures one side. A peer that fails costs its own figures and not the bench. */
  readonly attempt: (side: SideName, measure: () => Promise<void>) => Promise<void>;
  readonly figures: Figures;
  readonly rounds: number;
  readonly say: (progress: string) => void;
};
