import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import { until } from './until.js';

export type WireEvent = Record<string, unknown> & { kind?: string; seq?: number };

/** A plain WebSocket client that remembers everything it was sent. */
export class WireClient {
  readonly socket: WebSocket;
  readonly seen: WireEvent[] = [];
  #nextId = 1;

  private constructor(url: string, protocols: string[], options: ClientOptions) {
    this.socket = new WebSocket(url, protocols, options);
    this.socket.on('message', (data: Buffer) => this.seen.push(JSON.parse(data.toString()) as WireEvent));
    this.socket.on('error', () => {});
  }

  static async connect(url: string, options: ClientOptions & { protocols?: string[] } = {}): Promise<WireClient> {
    const { protocols = [], ...rest } = options;
    const client = new WireClient(url, protocols, rest);
    await once(client.socket, 'open');
    return client;
  }

  /** Sends a request with an id and waits for its reply. */
  async call(method: string, params: unknown = {}): Promise<WireEvent> {
    const id = this.#nextId++;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.find((event) => event['id'] === id);
  }

  /** Sends a request without an id, as the examples of seed 001 do. */
  notify(method: string, params: unknown): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  prompt(text: string, more: object = {}): Promise<WireEvent> {
    return this.call('message/stream', { message: { content: { text }, ...more } });
  }

  answer(callId: unknown, optionId: string, more: object = {}): Promise<WireEvent> {
    const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: callId, selected_option_id: optionId, ...more };
    return this.call('message/stream', { message: { content: { data } } });
  }

  find(matches: (event: WireEvent) => unknown): Promise<WireEvent> {
    return until(() => this.seen.find(matches)).catch((error: unknown) => {
      const kinds = this.seen.map((event) => event.kind ?? 'reply').join(' ');
      throw new Error(`no such event; seen: ${kinds}`, { cause: error });
    });
  }

  kind(kind: string): Promise<WireEvent> {
    return this.find((event) => event.kind === kind);
  }

  /** The next question that is still open. */
  pending(): Promise<WireEvent> {
    return this.find((event) => event.kind === 'TOOL_CALL_UPDATE' && event['confirmation_request'] !== undefined);
  }

  tool(status: string): Promise<WireEvent> {
    return this.find((event) => event.kind === 'TOOL_CALL_UPDATE' && event['status'] === status);
  }

  state(state: string): Promise<WireEvent> {
    return this.find((event) => event.kind === 'STATE_CHANGE' && event['state'] === state);
  }

  get text(): string {
    return this.seen
      .flatMap((event) => (event.kind === 'TEXT_CONTENT' ? [(event['content'] as { text: string }).text] : []))
      .join('');
  }

  forget(): void {
    this.seen.length = 0;
  }

  close(): void {
    this.socket.close();
  }
}
