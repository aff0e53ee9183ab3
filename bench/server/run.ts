import type { ServerProcess } from '../support/server-process.js';
import type { Agent } from './agent.js';
import type { Figures } from './figures.js';
import type { SideName } from './sides.js';

export type Running = { readonly side: SideName; readonly process: ServerProcess; readonly agent: Agent };

/** What every part of the bench needs. */
export type Run = {
  readonly start: (side: SideName, canInspect?: boolean) => Promise<Running>;
  readonly figures: Figures;
  readonly rounds: number;
  readonly say: (progress: string) => void;
};
