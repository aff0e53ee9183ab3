import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Turn } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { timesIn } from '../support/order.js';

type Line = { readonly text: string; readonly at: number };

type Reader = { readonly read: (line: Line) => void; readonly end: () => void };

/** A stream of events that is opened once and outlives the turns it tells of, as opencode and qwen have it. */
export class EventFeed {
  readonly #response: IncomingMessage;
  readonly #readers = new Set<Reader>();
  #rest = '';

  static async open(port: number, path: string): Promise<EventFeed> {
    const call = get({ host: '127.0.0.1', port, path, agent: false });
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`GET ${path} was answered with ${response.statusCode}`);
    return new EventFeed(response);
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (data: string) => this.#read(data));
    // The server may be stopped while this is open.
    response.on('error', () => {});
    response.once('close', () => {
      for (const { end } of this.#readers) end();
    });
  }

  /** Shows `look` each line from now on, until it wants no more. Rejects if the feed ends before. */
  until(look: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new Error('the stream of events ended early'));
      if (this.#response.closed) return end();
      const reader: Reader = {
        end,
        read: (line) => {
          if (!look(line)) return;
          this.#readers.delete(reader);
          resolve(line);
        },
      };
      this.#readers.add(reader);
    });
  }

  /** Follows the turn that begins next. */
  async turn(isPiece: (text: string) => boolean, isEnd: (text: string) => boolean): Promise<Turn> {
    const [receivedAt, latencies]: [number[], number[]] = [[], []];
    const { text } = await this.until((line) => {
      const times = isPiece(line.text) ? timesIn(line.text) : [];
      for (const sentAt of times) {
        receivedAt.push(line.at);
        latencies.push(line.at - sentAt);
      }
      return isEnd(line.text);
    });
    return { receivedAt, latencies, text };
  }

  close(): void {
    this.#response.destroy();
  }

  #read(data: string): void {
    const at = now();
    const lines = (this.#rest + data).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const text of lines) for (const { read } of this.#readers) read({ text, at });
  }
}
