import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** Node's types leave out the kind. */
type Collection = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

const lookEveryMs = 1000;
/** It grows while collecting it takes more of the time than this. */
const tooMuch = 0.05;

/**
 * V8's space for new objects. It begins with 1 MB, and V8 doubles it up to 16 MB each time that much has survived. Code, and what
 * it makes when it is loaded, survives as a whole, so a server that had done nothing yet kept 16 MB for new objects. Ours grows
 * when a small one costs time.
 */
export class YoungGeneration {
  readonly #collections = new PerformanceObserver((list) => this.#look(list.getEntries()));
  #isLimited = false;
  #growth = 2;
  #since = 0;
  #collectedMs = 0;

  /** Without this, V8 decides. */
  limit(): void {
    this.#isLimited = true;
    this.#setGrowth(1);
    this.#collections.observe({ entryTypes: ['gc'] });
  }

  /** Loads code, or keeps it: what V8 has compiled is valid only under the same options. */
  whileSmall<T>(load: () => T): T {
    if (!this.#isLimited) return load();
    this.#setGrowth(1);
    try {
      return load();
    } finally {
      this.#restart();
    }
  }

  #look(collections: readonly Collection[]): void {
    for (const { startTime, duration, detail } of collections)
      if (startTime >= this.#since && detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR)
        this.#collectedMs += duration;
    const passedMs = performance.now() - this.#since;
    if (passedMs < lookEveryMs) return;
    this.#setGrowth(this.#collectedMs > passedMs * tooMuch ? 2 : 1);
    this.#restart();
  }

  #restart(): void {
    this.#since = performance.now();
    this.#collectedMs = 0;
  }

  #setGrowth(factor: 1 | 2): void {
    if (this.#growth === factor) return;
    this.#growth = factor;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  }
}
