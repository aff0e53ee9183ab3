import { type Authenticator, type Credentials, recognise } from '../../auth/authenticator.js';
import { nobody, owner, type Principal } from '../../auth/principal.js';
import { type Allowance, type Rate, RateLimiter } from '../../auth/rate-limiter.js';
import { AppError } from '../../domain/errors.js';
import { addressKey } from '../door/address.js';
import { isSameToken } from './token.js';

/** Somebody at the door, the same from HTTP, a WebSocket and gRPC. */
export type Visitor = Credentials & {
  readonly address: string;
  /** Whether the caller is the user we run as, on this machine. */
  readonly isSameUser: boolean;
};

export type RateLimits = {
  /** Requests of callers that are nobody we know, by address. */
  readonly address: Rate;
  /** Every request and every frame of a WebSocket of somebody we know. */
  readonly principal: Rate;
  /** Wrong credentials, by address. */
  readonly failures: Rate;
};

/** For a server that others can reach. */
export const defaultLimits: RateLimits = {
  address: { burst: 200, perSecond: 50 },
  principal: { burst: 200, perSecond: 20 },
  failures: { burst: 10, perSecond: 0.2 },
};

export type GateOptions = {
  /** The owner's. */
  readonly token: string;
  /** Without it the user we run as needs no credentials. */
  readonly requireToken: boolean;
  readonly authenticators?: readonly Authenticator[];
  /** Undefined: nothing is limited. */
  readonly limits?: RateLimits;
  /** For those without credentials: why they need them, and how to get them. */
  readonly advice?: string;
};

export type LimitName = keyof RateLimits;

/** Told what a limit leaves to the caller, before the caller is refused for it. */
export type OnAllowance = (name: LimitName, rate: Rate, allowance: Allowance) => void;

/** Decides who a visitor is and how often it may come. What it may then do is in `scopes.ts`. */
export class Gate {
  readonly #options: GateOptions;
  readonly #limiters: Readonly<Record<LimitName, RateLimiter>> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    const { limits } = options;
    this.#limiters = limits && {
      address: new RateLimiter(limits.address),
      principal: new RateLimiter(limits.principal),
      failures: new RateLimiter(limits.failures),
    };
  }

  /**
   * Looks at the credentials first and counts by what they are: many share an address, and what others do there must not
   * lock out who has the right ones. Nobody guesses 256 random bits, and looking at a guess costs no more than refusing it.
   */
  async admit(visitor: Visitor, onAllowance?: OnAllowance): Promise<Principal> {
    const countStranger = (name: 'address' | 'failures'): void =>
      this.#check(name, this.#limiters?.[name].take(addressKey(visitor.address)), onAllowance);
    const principal = await this.identify(visitor).catch((error: unknown) => {
      countStranger(error instanceof AppError && error.code === 'bad-token' ? 'failures' : 'address');
      throw error;
    });
    if (principal.via === 'nothing') countStranger('address');
    else this.count(principal, onAllowance);
    return principal;
  }

  /** One more request of somebody who is known. */
  count(principal: Principal, onAllowance?: OnAllowance): void {
    this.#check('principal', this.#limiters?.principal.take(principal.id), onAllowance);
  }

  /** Throws when the credentials are wrong. */
  async identify(visitor: Visitor): Promise<Principal> {
    const { token, requireToken, authenticators = [], advice } = this.#options;
    if (visitor.token !== undefined && isSameToken(visitor.token, token)) return owner;
    const principal = await recognise(authenticators, visitor);
    if (principal) return principal;
    if (visitor.token !== undefined) throw new AppError('bad-token', unknownToken(authenticators));
    if (!requireToken) {
      if (visitor.isSameUser) return owner;
      throw new AppError('other-user', 'this session belongs to another user; send its token');
    }
    // There is something for everybody: the card, which says how to identify oneself (A2A 8.2).
    return advice === undefined ? nobody : { ...nobody, advice };
  }

  #check(name: LimitName, allowance: Allowance | undefined, onAllowance?: OnAllowance): void {
    const rate = this.#options.limits?.[name];
    if (!allowance || !rate) return;
    onAllowance?.(name, rate, allowance);
    if (allowance.isAllowed) return;
    const { retryAfter } = allowance;
    throw new AppError('rate-limited', `${refusals[name]}; try again in ${retryAfter} s`, { details: { retryAfter } });
  }
}

const refusals: Readonly<Record<LimitName, string>> = {
  address: 'too many requests from this address',
  principal: 'too many requests with these credentials',
  failures: 'too many wrong tokens from this address',
};

function unknownToken({ length }: readonly Authenticator[]): string {
  if (length > 0) return 'the token is not one that this server knows';
  return 'the token is not the one of this session; `cosession ls --json` shows it';
}
