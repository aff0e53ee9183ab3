import type { Agent, SessionEvent } from '../domain/events.js';
import type { RecentLimits } from '../domain/recent-events.js';
import { mergedTurn, type Shown, type Turn } from '../domain/turn.js';
import type { EventStore, TurnPage, TurnQuery } from '../stores/store.js';
import { cutEvent } from './log/cut-event.js';
import { EventLog, type Listener, type Observer, type Place, type Unsubscribe } from './log/event-log.js';
import { Recall } from './recall.js';
import type { SessionOptions } from './session-options.js';
import { shownTurns } from './log/shown-turns.js';
import { turnEvents } from './log/turn-events.js';

export type ReaderOptions = Omit<SessionOptions, 'engine'> & { readonly recent?: RecentLimits };

/** What can be read of a session: its events, in memory and in the store, and its turns. Nothing here changes it. */
export abstract class SessionReader {
  readonly id: string;
  readonly owner: string | undefined;
  readonly createdAt: string | undefined;
  readonly workspace: string | undefined;
  /** The state derived from all its events. */
  readonly recall: Recall;
  protected readonly log: EventLog;
  readonly #store: EventStore;
  readonly #model: string;

  protected constructor(options: ReaderOptions) {
    const { id, store, earlier, model = '', now = () => new Date() } = options;
    const { startAfter = 0, isDurable = false, onError = () => {}, onLoss = onError, recent } = options;
    this.id = id;
    this.owner = options.owner;
    this.createdAt = options.createdAt;
    this.workspace = options.workspace;
    this.#model = model;
    this.#store = store;
    const events = earlier?.events ?? [];
    const ends = { onError, onLoss };
    this.log = new EventLog({ sessionId: id, store, now, earlier: events, startAfter, isDurable, ...ends, ...recent });
    this.recall = earlier?.recall ?? new Recall(options.turnEnd);
    this.observe((event, whole) => {
      if (event.seq > this.recall.state.seq) this.recall.add(whole);
    });
  }

  subscribe(listener: Listener, afterSeq?: number): Unsubscribe {
    return this.log.subscribe(listener, afterSeq);
  }

  /**
   * For code that keeps session state: first the older events behind the current state, then the events in memory, then
   * every new event in the tick it happens.
   */
  observe(observer: Observer): Unsubscribe {
    return this.log.observe(observer, this.#going);
  }

  /** Where the events after `seq` are; undefined if they are not kept. */
  whereAfter(seq: number): Place | undefined {
    return this.log.whereAfter(seq);
  }

  /** The sent events in memory, oldest first, preceded by the older events behind the current state. */
  get story(): readonly SessionEvent[] {
    return [...this.#going.map(cutEvent), ...this.log.after(0)];
  }

  eventsAfter(seq: number, limit?: number): readonly SessionEvent[] {
    return this.log.after(seq, limit);
  }

  /** The same, plus the events that observers already have and listeners will get. */
  happenedAfter(seq: number): readonly SessionEvent[] {
    return this.log.happenedAfter(seq);
  }

  get seq(): number {
    return this.log.seq;
  }

  /** The newest event, sent to clients or not. */
  get lastSeq(): number {
    return this.log.lastSeq;
  }

  get oldestSeq(): number {
    return this.log.oldest;
  }

  /** Whether anyone outside follows it. */
  get isWatched(): boolean {
    return this.log.isWatched;
  }

  get agent(): Agent {
    return this.recall.agent ?? { model: this.#model };
  }

  /** Stored events, oldest first: the newest ones, or those after `seq`. */
  async history(limit: number, seq = Math.max(0, this.log.seq - limit)): Promise<readonly SessionEvent[]> {
    return (await this.#store.read(this.id, seq, limit)).map(cutEvent);
  }

  /** The whole event, however large; undefined if no event has this seq or it is not kept. */
  async event(seq: number): Promise<SessionEvent | undefined> {
    if (seq > this.log.seq) return undefined;
    const [event] = await this.#store.read(this.id, seq - 1, 1);
    return event?.seq === seq ? event : undefined;
  }

  /** Any turn of the session, however old. */
  async turn(turnId: string): Promise<Turn | undefined> {
    return mergedTurn(await this.#store.turn(this.id, turnId), this.recall.newsOf(turnId));
  }

  get shown(): Shown {
    return this.recall.shown;
  }

  /** Its turns, with the states that clients see. */
  turns(query: TurnQuery): Promise<TurnPage> {
    return shownTurns(this.#store, { taskId: this.id, ...query }, this.shown);
  }

  /** The stored events of a turn, oldest first, including those no longer in memory. */
  async *storedEventsOf(turnId: string): AsyncGenerator<SessionEvent> {
    const turn = await this.turn(turnId);
    if (turn) yield* turnEvents(this.#store, this.id, turn);
  }

  /** Resolves once a crash can no longer undo anything accepted so far. */
  stored(): Promise<void> {
    return this.log.flush();
  }

  get #going(): readonly SessionEvent[] {
    return this.recall.going.filter(({ seq }) => seq < this.log.oldest);
  }
}
