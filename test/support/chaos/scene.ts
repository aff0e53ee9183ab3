import type { ServeProcess } from '../spawn-serve.js';
import type { Moment } from './moments.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

/** One life of the server, as those see it who live in it. */
export type Scene = {
  readonly server: ServeProcess;
  readonly random: Random;
  readonly tally: Tally;
  /** Where webhooks are called. */
  readonly hookUrl: string;
  readonly newId: () => string;
  readonly happened: (moment: Moment) => void;
  /** Three servers instead of one. */
  readonly isCluster?: boolean;
  /** The store was away in this life. */
  readonly isTroubled: () => boolean;
  /** The server said that the store is away. */
  readonly storeWasMissed: () => void;
};
