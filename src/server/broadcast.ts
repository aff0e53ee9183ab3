import type { Duplex } from 'node:stream';
import type { SessionEvent } from '../domain/events.js';
import type { Session } from '../session/session.js';
import type { Snapshot } from '../session/snapshot.js';
import { toResyncRequired, toSnapshot } from '../protocols/endpoint/snapshot.js';
import type { Dialect } from './dialect.js';
import { limits } from './limits.js';
import { textFrame } from './websocket-frame.js';

/** A WebSocket whose handshake is done. Frames are written to its TCP socket, past the `ws` library. */
export type Watcher = {
  readonly socket: Duplex;
  /** The client does not read fast enough. */
  tooSlow(): void;
};

/** Frames that wait for the end of the tick are written early when they reach this. */
const flushBytes = 256 * 1024;
/** A client that catches up gets this many events at a time, as fast as it reads them. */
const catchUpEvents = 50;

/**
 * Sends every event of a session to many WebSockets of one dialect. Frames are encoded once for all, the first of a tick is
 * written at once and the rest together at its end: under a burst that is many times what a send per event and client
 * reaches, and a single event waits for nothing.
 */
export class Broadcast {
  readonly #session: Session;
  readonly #dialect: Dialect;
  readonly #live = new Set<Watcher>();
  #frames: Buffer[] = [];
  #bytes = 0;
  #isGathering = false;
  #unsubscribe: (() => void) | undefined;

  constructor(session: Session, dialect: Dialect) {
    this.#session = session;
    this.#dialect = dialect;
  }

  /**
   * Brings a client up to date, from `after` or by a snapshot, and keeps it there. The snapshot may be of the moment in
   * which the client came. Returns the undo.
   */
  add(watcher: Watcher, after?: number, snapshot?: Snapshot): () => void {
    const joining = { isGone: false };
    if (after === undefined && snapshot) {
      this.#write(watcher, this.#snapshotFrame(snapshot));
      this.#catchUp(watcher, snapshot.seq, joining);
    } else if (after === undefined) this.#sendSnapshot(watcher);
    else if (this.#session.canReplayFrom(after)) this.#catchUp(watcher, after, joining);
    else this.#resync(watcher);
    return () => {
      joining.isGone = true;
      this.#remove(watcher);
    };
  }

  #sendSnapshot(watcher: Watcher): void {
    this.#flush();
    this.#write(watcher, this.#snapshotFrame(this.#session.snapshot));
    this.#join(watcher);
  }

  #snapshotFrame(snapshot: Snapshot): Buffer {
    return textFrame(JSON.stringify(toSnapshot(this.#session.id, snapshot)));
  }

  #resync(watcher: Watcher): void {
    const { id, oldestSeq } = this.#session;
    this.#write(watcher, textFrame(JSON.stringify(toResyncRequired(id, oldestSeq))));
    this.#sendSnapshot(watcher);
  }

  #catchUp(watcher: Watcher, after: number, joining: { isGone: boolean }): void {
    let cursor = after;
    const next = (): void => {
      while (!joining.isGone) {
        if (!this.#session.canReplayFrom(cursor)) return this.#resync(watcher);
        const events = this.#session.eventsAfter(cursor, catchUpEvents);
        const last = events.at(-1);
        if (!last) {
          this.#flush();
          return this.#join(watcher);
        }
        cursor = last.seq;
        const frames = events.map((event) => textFrame(this.#dialect.toJson(event)));
        if (!watcher.socket.write(Buffer.concat(frames))) return void watcher.socket.once('drain', next);
      }
    };
    next();
  }

  #join(watcher: Watcher): void {
    this.#live.add(watcher);
    this.#unsubscribe ??= this.#session.subscribe((event) => this.#onEvent(event));
  }

  #remove(watcher: Watcher): void {
    this.#live.delete(watcher);
    if (this.#live.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #onEvent(event: SessionEvent): void {
    const frame = textFrame(this.#dialect.toJson(event));
    if (!this.#isGathering) return this.#writeFirst(frame);
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#bytes >= flushBytes) this.#flush();
  }

  /** The first event of a tick leaves at once, before anything else the tick may bring; those behind it are gathered. */
  #writeFirst(frame: Buffer): void {
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      this.#flush();
    });
    for (const watcher of this.#live) this.#write(watcher, frame);
  }

  #flush(): void {
    if (this.#frames.length === 0) return;
    const [only] = this.#frames;
    const joined = this.#frames.length === 1 && only ? only : Buffer.concat(this.#frames, this.#bytes);
    this.#frames = [];
    this.#bytes = 0;
    for (const watcher of this.#live) this.#write(watcher, joined);
  }

  #write(watcher: Watcher, bytes: Buffer): void {
    if (watcher.socket.writableLength > limits.clientBufferBytes) {
      this.#remove(watcher);
      watcher.tooSlow();
    } else watcher.socket.write(bytes);
  }
}
