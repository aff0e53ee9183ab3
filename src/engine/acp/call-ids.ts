import { RecentMap } from '../../util/recent-map.js';

/** Ids remembered over turns. */
const remembered = 1000;

/** Our ids for an agent's calls. Many agents pass on the ids of their model, and models use an id for more than one call. */
export class CallIds {
  /** By the agent's id, how many calls it began with it. */
  readonly #begun = new RecentMap<string, number>(remembered);
  readonly #ofTurn = new Map<string, string[]>();

  /** The calls of this turn that the agent knows by this id, oldest first. */
  of(agentId: string): readonly string[] {
    return this.#ofTurn.get(agentId) ?? [];
  }

  /** The id of another call. */
  begin(agentId: string): string {
    const count = (this.#begun.get(agentId) ?? 0) + 1;
    this.#begun.set(agentId, count);
    const id = count === 1 ? agentId : `${agentId}_u${count}`;
    this.#ofTurn.set(agentId, [...this.of(agentId), id]);
    return id;
  }

  endTurn(): void {
    this.#ofTurn.clear();
  }
}
