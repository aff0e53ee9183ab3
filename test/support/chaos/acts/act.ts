import type { Moment } from '../moments.js';
import type { Scene } from '../scene.js';
import type { Witness } from '../witness.js';

/** Something that a client does now and then. */
export type Act = {
  /** What comes of it: a life that waits for one of these sees it done more often. */
  readonly leadsTo: readonly Moment[];
  /** How likely it is now, beside the others; 0: it makes no sense. */
  weight(witness: Witness): number;
  perform(witness: Witness, scene: Scene): Promise<void>;
};
