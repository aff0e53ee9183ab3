import type { Server, ServerResponse } from 'node:http';

/** The requests of a server whose answer has not begun. A stream has begun with its headers. */
export class Unanswered {
  readonly #responses = new Set<ServerResponse>();

  constructor(server: Server) {
    server.on('request', (_request, response) => {
      this.#responses.add(response);
      response.once('close', () => this.#responses.delete(response));
    });
  }

  get count(): number {
    return [...this.#responses].filter(({ headersSent }) => !headersSent).length;
  }
}
