import type { Origin } from './events.js';

/** Somebody who takes part in a session now. */
export type Client = {
  /** The name it gave itself or was given; a second client of that name is `ada 2`. */
  readonly name: string;
  readonly surface: Origin['surface'];
  readonly principal?: string;
  /** When it joined, ISO 8601 in UTC. */
  readonly since: string;
};
