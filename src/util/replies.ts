type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void };

/** Requests to another process that have no reply yet, by request number. */
export class Replies<T> {
  readonly #waiting = new Map<number, Waiting<T>>();
  #last = 0;

  /** `send` gets the number that the reply must carry. */
  ask(send: (number: number) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const number = ++this.#last;
      this.#waiting.set(number, { resolve, reject });
      send(number);
    });
  }

  resolve(number: number, value: T): void {
    this.#waiting.get(number)?.resolve(value);
    this.#waiting.delete(number);
  }

  reject(number: number, error: Error): void {
    this.#waiting.get(number)?.reject(error);
    this.#waiting.delete(number);
  }

  /** For when no more replies will come. */
  rejectAll(error: Error): void {
    for (const number of this.#waiting.keys()) this.reject(number, error);
  }
}
