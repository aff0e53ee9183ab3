import { RecentMap } from '../util/recent-map.js';

/** `burst` requests at once, then `perSecond` of them. */
export type Rate = { readonly burst: number; readonly perSecond: number };

/** What is left to a key after it took one. */
export type Allowance = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until one more is allowed; 0 when one is allowed now. */
  readonly retryAfter: number;
};

type Bucket = { tokens: number; at: number };

/** Keys remembered at once. The one that was idle longest is forgotten first; most likely its bucket is full again. */
const keys = 10_000;

/** A token bucket per key: it holds `burst` tokens, a request takes one, and `perSecond` come back. */
export class RateLimiter {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new RecentMap<string, Bucket>(keys);

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  take(key: string): Allowance {
    const bucket = this.#fill(key);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    const retryAfter = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / this.#rate.perSecond);
    return { isAllowed, remaining: Math.floor(bucket.tokens), retryAfter };
  }

  #fill(key: string): Bucket {
    const now = this.#now();
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    // Behind all others, so that the first key of the map is the idlest.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
