import { randomInt } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import { RecentMap } from '../util/recent-map.js';
import { type Allowance, RateLimiter } from './rate-limiter.js';

/** Without the characters that people mistake for each other. 8 of them are 39 bits. */
const codeLetters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const codeLength = 8;
/** How long a code can be used. */
const codeMs = 120_000;
/** Codes that wait to be used. One more drops the oldest. */
const maxCodes = 100;

/** Wrong codes in a minute: from one address, and from all together, because an attacker may have many addresses. */
const triesOfAddress = { burst: 10, perSecond: 10 / 60 };
const triesOfAll = { burst: 60, perSecond: 1 };

type Kept<T> = { readonly value: T; readonly until: number };

/** One-time codes, in memory only. Each leads to one value. */
export class PairingCodes<T> {
  readonly #codes = new RecentMap<string, Kept<T>>(maxCodes);
  readonly #now: () => number;
  readonly #ofAddress: RateLimiter;
  readonly #ofAll: RateLimiter;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
    this.#ofAddress = new RateLimiter(triesOfAddress, now);
    this.#ofAll = new RateLimiter(triesOfAll, now);
  }

  add(value: T): { readonly code: string; readonly until: Date } {
    const code = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('');
    const until = this.#now() + codeMs;
    this.#codes.set(code, { value, until });
    return { code, until: new Date(until) };
  }

  /** Uses up a code. Only wrong ones count, but after too many even a right one is refused: guessing must not pay. */
  take(code: string, address: string): T {
    // An address that is over its own limit does not use up what all others share.
    check(this.#ofAddress.take(address));
    check(this.#ofAll.take('all'));
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found || found.until <= this.#now())
      throw new AppError('bad-code', 'this code is not valid any more; each works once, for two minutes');
    this.#ofAddress.giveBack(address);
    this.#ofAll.giveBack('all');
    return found.value;
  }
}

function check({ isAllowed, retryAfter }: Allowance): void {
  if (isAllowed) return;
  throw new AppError('rate-limited', `too many wrong codes; try again in ${retryAfter} s`, {
    details: { retryAfter },
  });
}
