import type { Store } from '../stores/store.js';
import type { Bus } from './bus/bus.js';
import { type PeerFacts, readFacts } from './cluster-status.js';
import { readTaskReply } from './message.js';

export type LivePeer = PeerFacts & { readonly id: string };

export type LivePeersOptions = {
  readonly store: Pick<Store, 'server' | 'servers'>;
  readonly bus: Pick<Bus, 'request'>;
  readonly ping: string;
};

type Asked = { readonly at: number; readonly patienceMs: number; readonly facts: Promise<LivePeer | undefined> };

/** How long facts about the others are recent enough to choose one of them. */
const keptMs = 250;
/** A server that takes longer to report its load would be a bad choice. */
const answerMs = 300;

/** The other servers of the cluster that work now, with their reports. */
export class LivePeers {
  readonly #options: LivePeersOptions;
  readonly #asked = new Map<string, Asked>();
  #ids: { readonly at: number; readonly ids: Promise<readonly string[]> } | undefined;

  constructor(options: LivePeersOptions) {
    this.#options = options;
  }

  /** Up to `count` of them, picked at random. */
  async some(count: number): Promise<readonly LivePeer[]> {
    const ids = [...(await this.#live())];
    const picked: string[] = [];
    while (picked.length < count && ids.length > 0)
      picked.push(...ids.splice(Math.floor(Math.random() * ids.length), 1));
    return this.#ask(picked, answerMs);
  }

  /** Those that answer within this time. */
  async all(patienceMs = answerMs): Promise<readonly LivePeer[]> {
    return this.#ask(await this.#live(), patienceMs);
  }

  async #ask(ids: readonly string[], patienceMs: number): Promise<readonly LivePeer[]> {
    const found = await Promise.all(ids.map((id) => this.#facts(id, patienceMs)));
    return found.filter((peer) => peer !== undefined);
  }

  #live(): Promise<readonly string[]> {
    const now = performance.now();
    if (!this.#ids || now - this.#ids.at > keptMs) this.#ids = { at: now, ids: this.#read() };
    return this.#ids.ids;
  }

  /** If the store is unavailable, no server is known. */
  async #read(): Promise<readonly string[]> {
    const { store } = this.#options;
    const servers = await store.servers().catch(() => []);
    const ids = servers.filter(({ id, leftMs }) => id !== store.server && leftMs > 0).map(({ id }) => id);
    for (const id of this.#asked.keys()) if (!ids.includes(id)) this.#asked.delete(id);
    return ids;
  }

  #facts(id: string, patienceMs: number): Promise<LivePeer | undefined> {
    const now = performance.now();
    const known = this.#asked.get(id);
    if (known && known.patienceMs >= patienceMs && now - known.at <= keptMs) return known.facts;
    const { bus, ping } = this.#options;
    const facts = bus
      .request(id, ping, patienceMs)
      .then((text) => {
        const reply = readTaskReply(text);
        return reply.is === 'done' ? { id, ...readFacts(reply.value) } : undefined;
      })
      .catch(() => undefined);
    this.#asked.set(id, { at: now, patienceMs, facts });
    return facts;
  }
}
