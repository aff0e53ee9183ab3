import type { Duplex } from 'node:stream';
import { toAppError } from '../../domain/errors.js';
import type { SessionEvent } from '../../domain/events.js';
import { replay } from '../../session/replay.js';
import type { SessionPort } from '../../session/session-port.js';
import type { Snapshot } from '../../session/snapshot.js';
import type { Dialect } from '../../dialects/dialect.js';
import { toClients, toResyncRequired, toSnapshot } from '../../dialects/endpoint/snapshot.js';
import { limits } from '../http/limits.js';
import { clientsOf, type SessionClients } from './session-clients.js';
import { TickFrames } from './frames/tick-frames.js';
import { textFrames } from './frames/websocket-frame.js';

/** A WebSocket after its handshake. Frames are written directly to its TCP socket, bypassing the `ws` library. */
type Watcher = {
  readonly socket: Duplex;
  /** The client does not read fast enough. */
  tooSlow(): void;
};

/** A client that is being brought up to date. */
type Joining = {
  isGone: boolean;
  /** The client already knows the list of clients up to this version: it is not informed that it joined itself. */
  knows: number;
};

/** A replay sends this many events at a time, as fast as the client reads them. */
const replayEvents = 50;

/** Sends every event of a session to many WebSockets of one dialect. Each frame is encoded only once. */
export class Broadcast {
  readonly #session: SessionPort;
  readonly #dialect: Dialect;
  readonly #clients: SessionClients;
  readonly #sendsClients: boolean;
  readonly #live = new Map<Watcher, Joining>();
  readonly #frames = new TickFrames(textFrames, (bytes) => {
    for (const watcher of this.#live.keys()) this.#write(watcher, bytes);
  });
  #unsubscribe: (() => void) | undefined;

  /** `sendsClients`: the dialect has an event for clients that join and leave. */
  constructor(session: SessionPort, dialect: Dialect, { sendsClients = false } = {}) {
    this.#session = session;
    this.#dialect = dialect;
    this.#clients = clientsOf(session);
    this.#sendsClients = sendsClients;
  }

  /**
   * Brings a client up to date: with the given snapshot, which may date from when it connected, with the events after
   * `after`, with both, or with a snapshot of now. Then sends new events. Returns the undo.
   */
  add(watcher: Watcher, after?: number, snapshot?: Snapshot): () => void {
    const joining: Joining = { isGone: false, knows: this.#clients.version };
    if (snapshot) {
      this.#writeSnapshot(watcher, snapshot, joining);
      this.#replay(watcher, after ?? snapshot.seq, joining);
    } else if (after === undefined) this.#sendSnapshot(watcher, joining);
    else this.#replay(watcher, after, joining);
    return () => {
      joining.isGone = true;
      // It may be about to be dismissed, and what was gathered happened before that.
      this.#frames.flush();
      this.#remove(watcher);
    };
  }

  #sendSnapshot(watcher: Watcher, joining: Joining): void {
    this.#frames.flush();
    this.#writeSnapshot(watcher, this.#session.snapshot, joining);
    this.#join(watcher, joining);
  }

  #writeSnapshot(watcher: Watcher, snapshot: Snapshot, joining: Joining): void {
    joining.knows = this.#clients.version;
    this.#write(watcher, textFrames([JSON.stringify(toSnapshot(this.#session.id, snapshot, this.#clients.list))]));
  }

  #resync(watcher: Watcher, joining: Joining): void {
    const { id, oldestSeq } = this.#session;
    this.#write(watcher, textFrames([JSON.stringify(toResyncRequired(id, oldestSeq))]));
    this.#sendSnapshot(watcher, joining);
  }

  #replay(watcher: Watcher, after: number, joining: Joining): void {
    const take = async (events: readonly SessionEvent[]): Promise<void> => {
      if (!this.#send(watcher, events)) await new Promise((resolve) => watcher.socket.once('drain', resolve));
    };
    const join = (cursor: number): void => this.#sendFromMemory(watcher, cursor, joining);
    replay(this.#session, after, { take, join, isOver: () => joining.isGone }).catch((error: unknown) => {
      if (joining.isGone) return;
      if (toAppError(error).code === 'too-slow') this.#resync(watcher, joining);
      else watcher.tooSlow();
    });
  }

  /** Sends the events in memory as fast as the client reads. A client that reads too slowly gets them from the store. */
  #sendFromMemory(watcher: Watcher, after: number, joining: Joining): void {
    let cursor = after;
    while (!joining.isGone) {
      const events = this.#session.eventsAfter(cursor, replayEvents);
      const last = events.at(-1);
      if (!last) {
        this.#frames.flush();
        return this.#join(watcher, joining);
      }
      cursor = last.seq;
      if (this.#send(watcher, events)) continue;
      const from = cursor;
      return void watcher.socket.once('drain', () => this.#replay(watcher, from, joining));
    }
  }

  #send(watcher: Watcher, events: readonly SessionEvent[]): boolean {
    return watcher.socket.write(textFrames(events.flatMap((event) => this.#textsOf(event))));
  }

  #join(watcher: Watcher, joining: Joining): void {
    this.#live.set(watcher, joining);
    this.#unsubscribe ??= this.#subscribe();
  }

  #subscribe(): () => void {
    const unsubscribe = this.#session.subscribe((event) => {
      for (const text of this.#textsOf(event)) this.#frames.push(text);
    });
    const unlist = this.#sendsClients ? this.#clients.onChange(() => this.#sendClients()) : undefined;
    return () => {
      unsubscribe();
      unlist?.();
    };
  }

  /** Sent to clients whose snapshot was older. */
  #sendClients(): void {
    const { list, version } = this.#clients;
    const frame = textFrames([JSON.stringify(toClients(this.#session.id, list))]);
    for (const [watcher, joining] of this.#live) {
      if (joining.knows === version) continue;
      joining.knows = version;
      this.#write(watcher, frame);
    }
  }

  #textsOf(event: SessionEvent): string[] {
    return this.#dialect.toEvents(event).map(({ json }) => json);
  }

  #remove(watcher: Watcher): void {
    this.#live.delete(watcher);
    if (this.#live.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #write(watcher: Watcher, bytes: Buffer): void {
    if (watcher.socket.writableLength > limits.clientBufferBytes) {
      this.#remove(watcher);
      watcher.tooSlow();
    } else watcher.socket.write(bytes);
  }
}
