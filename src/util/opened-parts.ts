/** The parts of a program, closed in the opposite order: when it ends, or when a part that comes later cannot be opened. */
export class OpenedParts {
  readonly #closers: (() => unknown)[] = [];

  /** Returns the part. */
  add<T>(part: T, close: (part: T) => unknown): T {
    this.#closers.push(() => close(part));
    return part;
  }

  /** Closes every part, then throws what the first of them threw that could not be closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
