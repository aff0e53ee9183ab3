/** A value that comes later, may be replaced, and may turn out never to come. Those who wait get the next one. */
export class Latest<T> {
  value: Promise<T>;
  #resolve: (value: T) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #isSet = false;

  constructor() {
    this.value = this.#wait();
  }

  set(value: T): void {
    this.#isSet = true;
    this.#resolve(value);
  }

  reset(): void {
    if (this.#isSet) this.value = this.#wait();
    this.#isSet = false;
  }

  fail(error: Error): void {
    this.reset();
    this.#reject(error);
  }

  #wait(): Promise<T> {
    const value = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody may be waiting.
    value.catch(() => {});
    return value;
  }
}
