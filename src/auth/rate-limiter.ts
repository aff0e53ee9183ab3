import { RecentMap } from '../util/recent-map.js';

/** `burst` requests at once, then `perSecond` requests per second. */
export type Rate = { readonly burst: number; readonly perSecond: number };

/** What a key has left after a request. */
export type Allowance = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the next request is allowed; 0 if it is allowed now. */
  readonly retryAfter: number;
};

type Bucket = { tokens: number; at: number };

/** The number of keys to remember. The longest idle key is dropped first; its bucket is most likely full again. */
const keys = 10_000;

/** A token bucket per key: it holds `burst` tokens, a request takes one, and `perSecond` tokens are added each second. */
export class RateLimiter {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #onUsed: ((key: string, count: 1 | -1) => void) | undefined;
  readonly #buckets = new RecentMap<string, Bucket>(keys);

  /** `onUsed` informs the servers that share the limit. */
  constructor(rate: Rate, now: () => number = () => performance.now(), onUsed?: (key: string, count: 1 | -1) => void) {
    this.#rate = rate;
    this.#now = now;
    this.#onUsed = onUsed;
  }

  take(key: string): Allowance {
    const bucket = this.#fill(key);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) {
      bucket.tokens -= 1;
      this.#onUsed?.(key, 1);
    }
    const retryAfter = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / this.#rate.perSecond);
    return { isAllowed, remaining: Math.max(0, Math.floor(bucket.tokens)), retryAfter };
  }

  /** Undoes a `take` that turned out not to count. */
  giveBack(key: string): void {
    const bucket = this.#fill(key);
    bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + 1);
    this.#onUsed?.(key, -1);
  }

  /**
   * Others who share the limit have used this much. A key may owe up to its burst: if debts were forgotten, each of them would
   * grant the whole rate.
   */
  useElsewhere(key: string, count: number): void {
    const { burst } = this.#rate;
    const bucket = this.#fill(key);
    bucket.tokens = Math.max(-burst, Math.min(burst, bucket.tokens - count));
  }

  #fill(key: string): Bucket {
    const now = this.#now();
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    // Moved to the end, so that the first key of the map is always the longest idle one.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
