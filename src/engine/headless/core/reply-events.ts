import { finished, type Readable } from 'node:stream';

/** One event of a reply, as the model's client wants it. */
export type ReplyEvent = { readonly headers: Readonly<Record<string, string>>; readonly json: () => unknown };

export type ReplyOptions = {
  readonly headers: Headers;
  readonly signal?: AbortSignal;
  /** Called with each event before the model's client gets it, in the tick in which both of them can have it. */
  readonly onEvent?: (event: unknown) => void;
  /** An error that the model has sent in place of an event. */
  readonly errorIn: (text: string) => Error | undefined;
};

type Waiting = {
  readonly resolve: (next: IteratorResult<ReplyEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
};

/** How the model's client recognises an event, whose text may contain other ends of lines, such as U+2028. */
const eventPattern = /^\s*data: ([^\r\n]*)(?:\n\n|\r\r|\r\n\r\n)/;
const blankLine = /\n\n|\r\r|\r\n\r\n/;
/** One that begins at the end of a piece of text. */
const seamLength = 3;
/** More than this is not read before core wants it. */
const readAhead = 256 * 1024;

/**
 * The events of a model's reply. The bundle of core (`scripts/model-client-patches.js`) reads them here, not in the client's own
 * generator: an event that core waits for is passed on in the tick in which it arrives. The next one is parsed when core has
 * done everything about the one before.
 */
export class ReplyEvents implements AsyncIterableIterator<ReplyEvent, undefined> {
  readonly #body: Readable;
  readonly #options: ReplyOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #decoder = new TextDecoder();
  /** What has been read and not passed on. */
  #text = '';
  /** The end of what was searched last: an event of megabytes must not be searched from its beginning with each piece. */
  #seam = '';
  #mayHaveEvent = false;
  #waiting: Waiting | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(body: Readable, options: ReplyOptions) {
    this.#body = body;
    this.#options = options;
    this.#headers = Object.fromEntries(options.headers);
    body.on('data', this.#read);
    finished(body, { writable: false }, (error) => this.#finish(error ? { error: this.#reasonFor(error) } : {}));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Not to be called again before it has resolved. */
  next(): Promise<IteratorResult<ReplyEvent, undefined>> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#advance();
    });
  }

  async return(): Promise<IteratorResult<ReplyEvent, undefined>> {
    this.#text = '';
    this.#finish({});
    this.#body.destroy();
    return { done: true, value: undefined };
  }

  readonly #read = (bytes: Uint8Array): void => {
    const text = this.#decoder.decode(bytes, { stream: true });
    const error = this.#options.errorIn(text);
    if (error) return this.#finish({ error });
    const fresh = this.#seam + text;
    this.#seam = fresh.slice(-seamLength);
    this.#mayHaveEvent ||= blankLine.test(fresh);
    this.#text += text;
    if (this.#text.length > readAhead && this.#mayHaveEvent) this.#body.pause();
    this.#advance();
  };

  /** The first end counts. */
  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#advance();
  }

  #advance(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      const found = this.#mayHaveEvent ? eventPattern.exec(this.#text) : null;
      if (found) {
        this.#waiting = undefined;
        this.#text = this.#text.slice(found[0].length);
        waiting.resolve({ done: false, value: this.#eventOf(found[1] ?? '') });
        return;
      }
      this.#mayHaveEvent = false;
      this.#body.resume();
      if (!this.#end) return;
      this.#waiting = undefined;
      if ('error' in this.#end) throw this.#end.error;
      if (this.#text.trim() !== '') throw new Error('Incomplete JSON segment at the end');
      waiting.resolve({ done: true, value: undefined });
    } catch (error) {
      this.#waiting = undefined;
      void this.return();
      waiting.reject(error);
    }
  }

  #eventOf(json: string): ReplyEvent {
    const event: unknown = JSON.parse(json);
    this.#options.onEvent?.(event);
    return { headers: this.#headers, json: () => event };
  }

  #reasonFor(cause: Error): unknown {
    const { signal } = this.#options;
    return signal?.aborted ? signal.reason : new TypeError('terminated', { cause });
  }
}
