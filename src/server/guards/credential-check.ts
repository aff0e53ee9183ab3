import type { Devices } from '../../auth/devices.js';
import { type Authenticator, type Credentials, recognise } from '../../auth/authenticator.js';
import { groupOf, nobody, owner, type Principal } from '../../auth/principal.js';
import type { Allowance, Rate, RateLimiter } from '../../auth/rate-limiter.js';
import { type MakeLimiter, ownLimiter } from '../../auth/shared-limits.js';
import { AppError } from '../../domain/errors.js';
import { addressKey } from '../door/address.js';
import { defined } from '../../util/defined.js';
import { isSameToken } from './token.js';

/** A caller that is not identified yet, in the same form for HTTP, WebSocket and gRPC. */
export type Visitor = Credentials & {
  readonly address: string;
  /** Whether the caller is the user we run as, on this machine. */
  readonly isSameUser: boolean;
  /** Whether the caller came through a forwarded port of our user, who may be anybody at its other end. */
  readonly isForwarded: boolean;
};

export type RateLimits = {
  /** Requests of unidentified callers, by address. */
  readonly address: Rate;
  /** Requests and WebSocket frames of identified callers, by principal; of paired browsers, by the group they are in. */
  readonly principal: Rate;
  /** Wrong credentials, by address. */
  readonly failures: Rate;
};

/** Defaults for a server that others can reach. */
export const defaultLimits: RateLimits = {
  address: { burst: 200, perSecond: 50 },
  principal: { burst: 200, perSecond: 20 },
  failures: { burst: 10, perSecond: 0.2 },
};

export type CredentialCheckOptions = {
  /** The owner's token. */
  readonly token: string;
  /** If false, the user we run as needs no credentials. */
  readonly requireToken: boolean;
  readonly authenticators?: readonly Authenticator[];
  /** Browsers that are paired. If undefined, none can be. */
  readonly devices?: Devices;
  /** If undefined, nothing is limited. */
  readonly limits?: RateLimits;
  /** For a server that shares its limits with others. */
  readonly makeLimiter?: MakeLimiter;
  /** Shown to callers without credentials: why they need them, and how to get them. */
  readonly advice?: string;
  readonly onRefused?: OnRefused;
  /** Everybody but the owner needs a client certificate, with or without a token. */
  readonly needsCertificate?: boolean;
};

/** Receives every refusal of a guard, with what is known about the caller. */
export type OnRefused = (why: AppError, caller: RefusedCaller) => void;

export type RefusedCaller = { readonly address?: string; readonly principal?: string };

export type LimitName = keyof RateLimits;

/** Receives what a limit leaves for the caller, before the caller is refused because of it. */
export type OnAllowance = (name: LimitName, rate: Rate, allowance: Allowance) => void;

/** Decides who a visitor is and how often it may send requests. `scopes.ts` decides what it may do. */
export class CredentialCheck {
  readonly #options: CredentialCheckOptions;
  readonly #limiters: Readonly<Record<LimitName, RateLimiter>> | undefined;

  constructor(options: CredentialCheckOptions) {
    this.#options = options;
    const { limits, makeLimiter = ownLimiter } = options;
    this.#limiters = limits && {
      address: makeLimiter({ name: 'address', rate: limits.address }),
      principal: makeLimiter({ name: 'principal', rate: limits.principal }),
      // Reported immediately: wrong credentials are rare, and an attacker would use the delay.
      failures: makeLimiter({ name: 'failures', rate: limits.failures, isUrgent: true }),
    };
  }

  /**
   * Callers that are refused get the reason with them: they may load the page, and pair. Everything else throws it.
   *
   * Checks the credentials first and counts by principal: many callers share an address, and one of them must not lock out
   * another with valid credentials. Nobody guesses 256 random bits, and checking a guess costs no more than refusing it.
   */
  async admit(visitor: Visitor, onAllowance?: OnAllowance): Promise<Principal> {
    const principal = this.#watched(await this.#recognised(visitor, onAllowance), visitor);
    if (principal.via !== 'nothing') this.count(principal, onAllowance);
    return principal;
  }

  /** Counts one more request of an identified caller. */
  count(principal: Principal, onAllowance?: OnAllowance): void {
    try {
      this.#check('principal', this.#limiters?.principal.take(groupOf(principal)), onAllowance);
    } catch (error) {
      if (error instanceof AppError) principal.onRefused?.(error);
      throw error;
    }
  }

  /** Throws if the credentials are wrong. */
  async identify(visitor: Visitor): Promise<Principal> {
    const { token, requireToken, authenticators = [], devices, advice, needsCertificate = false } = this.#options;
    if (visitor.token !== undefined && isSameToken(visitor.token, token)) return owner;
    const hasSecret = visitor.token !== undefined || visitor.device !== undefined;
    if (needsCertificate && hasSecret && !visitor.certificate)
      throw new AppError('certificate-required', 'a token is not enough here: connect with a client certificate too');
    // A paired browser never has more rights than its pairing, even on the owner's machine.
    if (devices && visitor.device !== undefined) return devices.authenticate(visitor.device);
    const principal = await recognise(authenticators, visitor);
    if (principal) return principal;
    if (visitor.token !== undefined) throw new AppError('bad-token', unknownToken(authenticators));
    if (!requireToken && !visitor.isForwarded) {
      if (visitor.isSameUser) return owner;
      throw new AppError('other-user', 'this session belongs to another user; send its token');
    }
    // Even unidentified callers may read the card, which says how to authenticate (A2A 8.2).
    return { ...nobody, ...defined({ advice }), ...(needsCertificate && { needsCertificate }) };
  }

  /** Unidentified callers are counted by address. */
  async #recognised(visitor: Visitor, onAllowance?: OnAllowance): Promise<Principal> {
    const countStranger = (name: 'address' | 'failures'): void =>
      this.#check(name, this.#limiters?.[name].take(addressKey(visitor.address)), onAllowance);
    const principal = await this.identify(visitor).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return { ...nobody, refusal: error };
    });
    try {
      if (principal.refusal?.code === 'bad-token') countStranger('failures');
      else if (principal.via === 'nothing') countStranger('address');
      return principal;
    } catch (error) {
      if (error instanceof AppError) this.#options.onRefused?.(error, { address: visitor.address });
      throw error;
    }
  }

  #watched(principal: Principal, { address }: Visitor): Principal {
    const { onRefused } = this.#options;
    if (!onRefused) return principal;
    const caller = principal.via === 'nothing' ? { address } : { address, principal: principal.id };
    return { ...principal, onRefused: (why) => onRefused(why, caller) };
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
  if (length > 0) return 'unknown token';
  return 'this is not the token of this session; `cosession ls --json` shows it';
}
