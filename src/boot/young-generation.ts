import { setFlagsFromString } from 'node:v8';

/** Code that was just loaded makes its tables. */
const settledMs = 2000;

/**
 * V8's space for new objects. It begins with 1 MB, and V8 doubles it up to 16 MB each time that much has survived. Code and its
 * tables survive as a whole, so a server that had done nothing yet kept 16 MB for new objects. Ours begins to grow when its code
 * has settled.
 */
export class YoungGeneration {
  #growth: NodeJS.Timeout | undefined;

  /** Without this, V8 decides. */
  limit(): void {
    this.#growth = setTimeout(() => setGrowth(2), settledMs).unref();
  }

  /** Loads code, or keeps it: what V8 has compiled is valid only under the same options. */
  whileSmall<T>(load: () => T): T {
    if (!this.#growth) return load();
    setGrowth(1);
    try {
      return load();
    } finally {
      this.#growth.refresh();
    }
  }
}

function setGrowth(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
