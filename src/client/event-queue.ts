import { CosessionError } from './transport/cosession-error.js';

/** How many events are buffered for a slow reader. */
export const maxBuffered = 10_000;

export function overflow(): CosessionError {
  const why = `the events were read too slowly: ${maxBuffered} are kept, and the next one had no room`;
  return new CosessionError('overflow', why, { limit: maxBuffered });
}

type Reader<T> = {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: Error) => void;
};

/** Pushed events are read by one `for await`. A reader that falls too far behind gets the buffered events, then an error. */
export class EventQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #onEnd: () => void;
  readonly #readers: Reader<T>[] = [];
  #items: T[] = [];
  /** The index of the next event. Read events are dropped in batches, since shifting a long array is slow. */
  #first = 0;
  #end: { error?: Error } | undefined;

  /** `onEnd` is called once, when the queue accepts no more events. */
  constructor(onEnd: () => void = () => {}) {
    this.#onEnd = onEnd;
  }

  push(item: T): void {
    if (this.#end) return;
    const reader = this.#readers.shift();
    if (reader) return reader.resolve({ value: item, done: false });
    if (this.#items.length - this.#first < maxBuffered) return void this.#items.push(item);
    this.end(overflow());
  }

  end(error?: Error): void {
    if (this.#end) return;
    this.#end = error ? { error } : {};
    for (const reader of this.#readers.splice(0)) this.#settle(reader);
    this.#onEnd();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const item = this.#items[this.#first];
      if (item !== undefined) {
        this.#advance();
        resolve({ value: item, done: false });
      } else if (this.#end) this.#settle({ resolve, reject });
      else this.#readers.push({ resolve, reject });
    });
  }

  /** Called on `break` in a `for await`. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#items = [];
    this.#first = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #advance(): void {
    if (++this.#first < 1000 && this.#first < this.#items.length) return;
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }

  #settle({ resolve, reject }: Reader<T>): void {
    if (this.#end?.error) reject(this.#end.error);
    else resolve({ value: undefined, done: true });
  }
}
