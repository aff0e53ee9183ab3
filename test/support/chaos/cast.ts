import { Witness } from './witness.js';

/** So many tasks are alive; the server may keep fewer of them in memory. */
const tasks = 7;

/** Those who are there in a round: one client for each task. Where one has deleted its task, another takes its place. */
export class Cast {
  readonly deleted: Witness[] = [];
  /** What was not as promised, and concerns no task. */
  readonly broken: string[] = [];
  readonly #witnesses: Witness[];
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
    this.#witnesses = Array.from({ length: tasks }, (_, place) => this.#newWitness(place));
  }

  get all(): readonly Witness[] {
    return this.#witnesses;
  }

  get places(): readonly number[] {
    return [...this.#witnesses.keys()];
  }

  at(place: number): Witness {
    const witness = this.#witnesses[place];
    if (witness && witness.deletion !== 'accepted') return witness;
    if (witness) this.deleted.push(witness);
    witness?.disconnect();
    return (this.#witnesses[place] = this.#newWitness(place));
  }

  get long(): Witness {
    return this.at(0);
  }

  /** One has a long task, and two run their tools without being asked about. */
  #newWitness(place: number): Witness {
    return new Witness(`task-${this.#newId()}`, { isLong: place === 0, autoExecute: place === 1 || place === 2 });
  }
}
