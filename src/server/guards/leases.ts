import { type Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { Gate, Visitor } from './gate.js';

type Lease = { readonly visitor: Visitor; readonly end: () => void };

/** A connection outlives the revocation of its token by at most this. */
const checkEveryMs = 5000;

/** Credentials are looked at when a connection opens; here they are looked at again while it is open. */
export class Leases {
  readonly #gate: Gate;
  readonly #leases = new Set<Lease>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  constructor(gate: Gate, everyMs = checkEveryMs) {
    this.#gate = gate;
    this.#timer = setInterval(() => void this.#check(), everyMs).unref();
  }

  /** Calls `end` once the credentials are not valid any more. Returns the undo. The owner's always are. */
  hold({ via }: Principal, visitor: Visitor, end: () => void): () => void {
    if (via === 'owner' || via === 'nothing') return () => {};
    const lease = { visitor, end };
    this.#leases.add(lease);
    return () => void this.#leases.delete(lease);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const verdicts = new Map<string | undefined, Promise<boolean>>();
    for (const lease of this.#leases) {
      const { token } = lease.visitor;
      // Connections with the same token share one look at it.
      const verdict = (token !== undefined && verdicts.get(token)) || this.#isValid(lease.visitor);
      verdicts.set(token, verdict);
      if (await verdict) continue;
      this.#leases.delete(lease);
      lease.end();
    }
    this.#isChecking = false;
  }

  async #isValid(visitor: Visitor): Promise<boolean> {
    try {
      await this.#gate.identify(visitor);
      return true;
    } catch (error) {
      // That an issuer cannot be reached for a moment ends nothing.
      return !(error instanceof AppError && error.code === 'bad-token');
    }
  }
}
