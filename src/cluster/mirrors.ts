import { AppError } from '../domain/errors.js';
import type { ShownEnd } from '../domain/events.js';
import { beingUnloaded, handedOver } from '../session/lifetime.js';
import { loadEvents } from '../session/load-events.js';
import type { Store } from '../stores/store.js';
import { within } from '../util/within.js';
import type { Bus } from './bus/bus.js';
import type { ClusterCounts } from './cluster-counts.js';
import { type News, readNews } from './message.js';
import { type AskServer, SessionMirror } from './mirror.js';
import { opAnswers, type MirrorFacts } from './task-ops.js';
import type { TaskRelay } from './task-relay.js';

export type MirrorsOptions = {
  readonly store: Store;
  readonly bus: Pick<Bus, 'follow'>;
  readonly relay: Pick<TaskRelay, 'ask' | 'askUntil'>;
  readonly turnEnd?: ShownEnd;
  readonly counts: ClusterCounts;
  readonly onError: (error: unknown) => void;
  readonly lookMs?: number;
};

type Entry = {
  readonly id: string;
  ready: Promise<SessionMirror | undefined>;
  mirror?: SessionMirror;
  stop: () => void;
  usedAt: number;
  heardAt: number;
  filling?: Promise<void>;
  nextFill?: Promise<void>;
};

const page = 500;
const lookEveryMs = 2000;
/** A mirror that nobody watches is kept this long for the next request. */
const unusedMs = 60_000;
/** The maximum number of mirrors. Beyond it, clients cannot follow more tasks of other servers here. */
const maxMirrors = 10_000;
/** How long the server that runs a task may take to report what is in no event. */
const factsMs = 2000;
/** How long an event may take on the bus before the store is asked for it. */
const lateMs = 100;

/** The mirrors of this server: one per task, however many clients watch it. */
export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #isClosed = false;

  constructor(options: MirrorsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.lookMs ?? lookEveryMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The mirror if it is open, as up to date as it is. */
  peek(id: string): SessionMirror | undefined {
    return this.#entries.get(id)?.mirror;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The mirror, up to date with the store. Undefined if there is no such task. */
  async get(id: string): Promise<SessionMirror | undefined> {
    const known = this.#entries.get(id);
    if (known) {
      known.usedAt = Date.now();
      const mirror = await known.ready;
      await mirror?.refresh();
      return mirror;
    }
    if (this.#isClosed) throw new AppError('shutting-down', 'the server is shutting down; another one has the task');
    if (this.#entries.size >= maxMirrors)
      throw new AppError('not-ready', `${maxMirrors} tasks of other servers are followed here, which is the limit`);
    const now = Date.now();
    const entry: Entry = { id, ready: Promise.resolve(undefined), stop: () => {}, usedAt: now, heardAt: now };
    this.#entries.set(id, entry);
    entry.ready = this.#open(entry);
    const mirror = await entry.ready.catch((error: unknown) => {
      this.#drop(entry);
      throw error;
    });
    if (!mirror) this.#drop(entry);
    return mirror;
  }

  /** Takes what the server that runs a task has published. */
  feed(id: string, news: News): void {
    const entry = this.#entries.get(id);
    const mirror = entry?.mirror;
    // One that is being opened reads the store once more at the end.
    if (!entry || !mirror) return;
    entry.heardAt = Date.now();
    const last = 'until' in news ? news.until : (news.events.at(-1)?.seq ?? 0);
    if (last <= mirror.seq) return;
    const fresh = 'until' in news ? [] : news.events.filter(({ seq }) => seq > mirror.seq);
    if (fresh[0]?.seq === mirror.seq + 1 && last === mirror.seq + fresh.length) return mirror.take(fresh);
    this.#options.counts.gaps++;
    this.#fill(entry).catch(this.#options.onError);
  }

  /** The task was deleted. */
  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#drop(entry);
    entry.mirror?.end(new AppError('unknown-task', `task "${id}" was deleted`));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const entry of this.#entries.values()) {
      this.#drop(entry);
      entry.mirror?.end(handedOver());
    }
  }

  async #open(entry: Entry): Promise<SessionMirror | undefined> {
    const { store, bus, relay, turnEnd, onError } = this.#options;
    const { id } = entry;
    entry.stop = await bus.follow(id, (text) => {
      const news = readNews(text);
      if (news) this.feed(id, news);
    });
    const record = await store.task(id);
    if (!record) return undefined;
    // A task can be read while its server is unavailable; its commands are then unknown.
    const unknown = (): MirrorFacts => ({ commands: [] });
    const facts = relay.ask(id, 'facts', {}).then((value) => opAnswers.facts.parse(value));
    const [about, earlier] = await Promise.all([
      within(factsMs, facts, unknown).catch(unknown),
      loadEvents(store, id, turnEnd),
    ]);
    const ask: AskServer = async (op, request, answer) => {
      const { value, seq } = await relay.askUntil(id, op, request);
      await this.#reach(entry, seq);
      return answer.parse(value);
    };
    const fill = (): Promise<void> => this.#fill(entry);
    entry.mirror = new SessionMirror({ store, record, earlier, about, ask, fill, onError });
    await this.#fill(entry);
    return entry.mirror;
  }

  /** Resolves once the mirror has this event: normally it is on its way, or already here. */
  async #reach(entry: Entry, seq: number): Promise<void> {
    const { mirror } = entry;
    if (!mirror || mirror.seq >= seq) return;
    let unsubscribe = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      unsubscribe = mirror.subscribe((event) => event.seq >= seq && resolve());
    });
    await within(lateMs, arrived, () => undefined);
    unsubscribe();
    if (mirror.seq < seq) await this.#fill(entry);
  }

  /** Reads everything that is missing. A call during a read waits for another one, which starts later. */
  #fill(entry: Entry): Promise<void> {
    if (!entry.filling) {
      entry.filling = this.#read(entry).finally(() => delete entry.filling);
      return entry.filling;
    }
    entry.nextFill ??= entry.filling
      .catch(() => undefined)
      .then(() => {
        delete entry.nextFill;
        return this.#fill(entry);
      });
    return entry.nextFill;
  }

  async #read({ id, mirror }: Entry): Promise<void> {
    if (!mirror) return;
    for (;;) {
      const events = await this.#options.store.read(id, mirror.seq, page);
      // Some may have arrived while the store was read.
      mirror.take(events.filter(({ seq }) => seq > mirror.seq));
      if (events.length < page) return;
    }
  }

  /** If the last message is lost, no later one reveals the gap. So silent mirrors check the store themselves. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const entry of this.#entries.values())
      // The store may be unavailable: the next check finds what this one misses.
      if (entry.mirror) await this.#lookAt(entry, entry.mirror).catch(() => undefined);
    this.#isLooking = false;
  }

  async #lookAt(entry: Entry, mirror: SessionMirror): Promise<void> {
    const { store, counts, lookMs = lookEveryMs } = this.#options;
    const now = Date.now();
    if (!mirror.isWatched && now - entry.usedAt > unusedMs) {
      this.#drop(entry);
      mirror.end(beingUnloaded());
    } else if (now - entry.heardAt >= lookMs) {
      const before = mirror.seq;
      await this.#fill(entry);
      if (mirror.seq > before) counts.lateNews++;
      else if (!(await store.task(entry.id))) this.remove(entry.id);
    }
  }

  #drop(entry: Entry): void {
    if (this.#entries.get(entry.id) === entry) this.#entries.delete(entry.id);
    entry.stop();
  }
}
