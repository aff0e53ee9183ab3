import type { ServerResponse } from 'node:http';
import { Gathering } from './gathering.js';
import { keepAlive } from './heartbeat.js';
import { limits } from './limits.js';
import { writeChunkNow, writeNow } from './write-now.js';

/** Pending text of this length is written early. */
const flushLength = 64 * 1024;
/** How long a reader waits before it connects again. */
const retryMs = 100;

const streamHeaders = new Map([
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['x-accel-buffering', 'no'],
]);

/** Server-sent events on one response, with heartbeats. A reader that stops reading is disconnected. */
export class EventStream {
  readonly #response: ServerResponse;
  #pending = '';
  readonly #gathering = new Gathering(() => this.flush());
  #hasBegun = false;

  constructor(response: ServerResponse, onClose: () => void = () => {}) {
    this.#response = response;
    response.setHeaders(streamHeaders);
    response.writeHead(response.statusCode);
    // With the first event, if there is one in this tick: a write of their own would cost as much as that event.
    setImmediate(() => this.#hasBegun || response.flushHeaders());
    keepAlive(response);
    // A client may be gone before its stream begins.
    if (response.destroyed) queueMicrotask(onClose);
    else response.once('close', onClose);
  }

  /** Without an id, the reader's cursor does not move. */
  send(id: number | undefined, json: string, name?: string): void {
    const head = `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}`;
    this.write(`${head}data: ${json}\n\n`);
  }

  /** Takes whole events. */
  write(events: string): void {
    this.#pending += events;
    this.#gathering.note();
    if (this.#pending.length >= flushLength) this.flush();
  }

  /** Resolves when the reader can take more or has disconnected. */
  async room(): Promise<void> {
    this.flush();
    const response = this.#response;
    if (response.destroyed || !response.writableNeedDrain) return;
    await new Promise<unknown>((resolve) => response.once('drain', resolve).once('close', resolve));
  }

  /** The rest is at another server: asks the reader to come back with its cursor immediately. */
  endForNow(): void {
    this.write(`retry: ${retryMs}\n\n`);
    this.end();
  }

  end(): void {
    this.flush();
    this.#hasBegun = true;
    this.#response.end();
  }

  /** Sends pending events without waiting for the end of the tick. */
  flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text === '' || this.#response.writableEnded) return;
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (this.#response.writableLength > limits.clientBufferBytes) this.#response.destroy();
    else if (isFirst) writeNow(this.#response, text);
    else writeChunkNow(this.#response, text);
  }
}
