import { randomInt } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import type { Allowance, Rate, RateLimiter } from './rate-limiter.js';
import { type MakeLimiter, ownLimiter } from './shared-limits.js';

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
 * The tries that an address has left while all addresses together are over their limit. It is never zero: strangers could
 * otherwise keep everybody from pairing. Guessing still does not pay, because a code has 39 bits and lives two minutes.
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

  constructor(makeLimiter: MakeLimiter = ownLimiter, now: () => number = () => Date.now()) {
    this.#now = now;
    const limiter = (name: string, rate: Rate): RateLimiter => makeLimiter({ name, rate, now, isUrgent: true });
    this.#ofAddress = limiter('codes', triesOfAddress);
    this.#ofAll = limiter('codes of all', triesOfAll);
    this.#inFlood = limiter('codes in a flood', triesInFlood);
  }

  /** Nobody can push out the codes of others, unless many conspire. Nobody at all can push out the owner's. */
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

  /** Uses up a code. Undefined if the code is unknown or has expired. */
  take(code: string): T | undefined {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    return found && found.until > this.#now() ? found.value : undefined;
  }

  /**
   * Counts a try before it is made. Only wrong tries count, so call the returned undo if the code was right. After too
   * many wrong tries even a right code is refused.
   */
  countTry(guesser: Guesser): () => void {
    return guesser === 'owner' ? () => {} : this.#count(guesser.address);
  }

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
