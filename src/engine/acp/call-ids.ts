import { RecentMap } from '../../util/recent-map.js';

/** How many ids are remembered across turns. */
const remembered = 1000;

/** Our ids for an agent's calls. Many agents pass on their model's ids, and models use one id for several calls. */
export class CallIds {
  /** How many calls the agent began with each of its ids. */
  readonly #begun = new RecentMap<string, number>(remembered);
  readonly #ofTurn = new Map<string, string[]>();

  /** The calls of this turn that have this id at the agent, oldest first. */
  of(agentId: string): readonly string[] {
    return this.#ofTurn.get(agentId) ?? [];
  }

  /** Returns our id for a new call. */
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
