import type { ServerResponse } from 'node:http';
import { heartbeatMs, limits } from './limits.js';

/** Server-sent events on one response, with heartbeats; a reader that stops reading is cut off. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => response.write(': heartbeat\n\n'), heartbeatMs);
    response.once('close', () => {
      clearInterval(this.#heartbeat);
      onClose();
    });
  }

  send(id: number, json: string): void {
    if (this.#response.writableLength > limits.clientBufferBytes) this.#response.destroy();
    else this.#response.write(`id: ${id}\ndata: ${json}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}
