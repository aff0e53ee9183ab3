import type { ServerResponse } from 'node:http';
import { heartbeatMs, limits } from './limits.js';

/** Written at once, without waiting for the end of the tick. */
const flushLength = 64 * 1024;

const streamHeaders = new Map([
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['x-accel-buffering', 'no'],
]);

/** Server-sent events on one response, with heartbeats; a reader that stops reading is cut off. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  /** What was sent in this tick: written together at its end, since a write costs more than an event. */
  #pending = '';

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    response.setHeaders(streamHeaders);
    response.flushHeaders();
    this.#heartbeat = setInterval(() => response.write(': heartbeat\n\n'), heartbeatMs);
    response.once('close', () => {
      clearInterval(this.#heartbeat);
      onClose();
    });
  }

  /** Without an id the reader's cursor stays where it is. */
  send(id: number | undefined, json: string, name?: string): void {
    if (this.#pending === '') setImmediate(() => this.#flush());
    if (id !== undefined) this.#pending += `id: ${id}\n`;
    if (name !== undefined) this.#pending += `event: ${name}\n`;
    this.#pending += `data: ${json}\n\n`;
    if (this.#pending.length >= flushLength) this.#flush();
  }

  end(): void {
    this.#flush();
    this.#response.end();
  }

  #flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text === '' || this.#response.writableEnded) return;
    if (this.#response.writableLength > limits.clientBufferBytes) this.#response.destroy();
    else this.#response.write(text);
  }
}
