import { randomInt } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import { type Allowance, RateLimiter } from './rate-limiter.js';

/** Without the characters that people mistake for each other. 8 of them are 39 bits. */
const codeLetters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const codeLength = 8;
/** How long a code can be used. */
const codeMs = 120_000;
/** Codes that wait to be used: in all, and of those who are limited together. One more drops the oldest. */
const maxCodes = 100;
const maxOfGroup = 10;

/** Wrong codes in a minute: from one address, and from all together, because an attacker may have many addresses. */
const triesOfAddress = { burst: 10, perSecond: 10 / 60 };
const triesOfAll = { burst: 60, perSecond: 1 };
/**
 * What an address has left while all together are over their limit. It is never nothing: strangers could otherwise keep
 * everybody from pairing. Guessing still does not pay, because a code has 39 bits and two minutes.
 */
const triesInFlood = { burst: 1, perSecond: 1 / 60 };

type Kept<T> = { readonly value: T; readonly group: string; readonly until: number };

/** Who tries a code: an address, or the owner on the same machine. */
export type Guesser = { readonly address: string } | 'owner';

/** One-time codes, in memory only. Each leads to one value. */
export class PairingCodes<T> {
  /** Oldest first. */
  readonly #codes = new Map<string, Kept<T>>();
  readonly #now: () => number;
  readonly #ofAddress: RateLimiter;
  readonly #ofAll: RateLimiter;
  readonly #inFlood: RateLimiter;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
    this.#ofAddress = new RateLimiter(triesOfAddress, now);
    this.#ofAll = new RateLimiter(triesOfAll, now);
    this.#inFlood = new RateLimiter(triesInFlood, now);
  }

  /** Nobody can push out the codes of others, unless many conspire; and nobody those of the owner. */
  add(value: T, group: string): { readonly code: string; readonly until: Date } {
    const own = [...this.#codes].filter(([, kept]) => kept.group === group);
    const others = [...this.#codes].filter(([, kept]) => kept.group !== 'owner');
    if (own.length >= maxOfGroup) this.#drop(own[0]);
    else if (this.#codes.size >= maxCodes) this.#drop(others[0]);
    const code = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('');
    const until = this.#now() + codeMs;
    this.#codes.set(code, { value, group, until });
    return { code, until: new Date(until) };
  }

  /** Uses up a code. Only wrong ones count, but after too many of them even a right one from that address is refused. */
  take(code: string, guesser: Guesser): T {
    const giveBack = guesser === 'owner' ? () => {} : this.#count(guesser.address);
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found || found.until <= this.#now())
      throw new AppError('bad-code', 'this code is not valid any more; each works once, for two minutes');
    giveBack();
    return found.value;
  }

  /** Counts a try. Returns its undo. */
  #count(address: string): () => void {
    // An address that is over its own limit does not use up what all others share.
    check(this.#ofAddress.take(address));
    const isFlood = !this.#ofAll.take('all').isAllowed;
    if (isFlood) check(this.#inFlood.take(address));
    return () => {
      this.#ofAddress.giveBack(address);
      if (isFlood) this.#inFlood.giveBack(address);
      else this.#ofAll.giveBack('all');
    };
  }

  #drop(entry: readonly [string, Kept<T>] | undefined): void {
    if (entry) this.#codes.delete(entry[0]);
  }
}

function check({ isAllowed, retryAfter }: Allowance): void {
  if (isAllowed) return;
  throw new AppError('rate-limited', `too many wrong codes; try again in ${retryAfter} s`, {
    details: { retryAfter },
  });
}
