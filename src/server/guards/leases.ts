import { type Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { Gate, Visitor } from './gate.js';

type Lease = { readonly visitor: Visitor; readonly end: () => void };

/** A connection outlives the revocation of its token by at most this long. */
const checkEveryMs = 5000;

/** Credentials are checked when a connection opens. This class checks them again while it is open. */
export class Leases {
  readonly #gate: Gate;
  readonly #leases = new Set<Lease>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  constructor(gate: Gate, everyMs = checkEveryMs) {
    this.#gate = gate;
    this.#timer = setInterval(() => void this.#check(), everyMs).unref();
  }

  /** Calls `end` once the credentials are no longer valid. The owner's always are. Returns the undo. */
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
    const checks = new Map<string | undefined, Promise<boolean>>();
    for (const lease of this.#leases) {
      const { token } = lease.visitor;
      // Connections with the same token share one check.
      const isValid = (token !== undefined && checks.get(token)) || this.#isValid(lease.visitor);
      checks.set(token, isValid);
      if (await isValid) continue;
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
      // An issuer that is briefly unreachable does not end connections.
      return !(error instanceof AppError && error.code === 'bad-token');
    }
  }
}
