import { type Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { CredentialCheck, Visitor } from './credential-check.js';

type Recheck = { readonly visitor: Visitor; readonly end: () => void };

/** A connection outlives the revocation of its token by at most this long. */
const checkEveryMs = 5000;

/** Credentials are checked when a connection opens. This class checks them again while it is open. */
export class Rechecks {
  readonly #credentialCheck: CredentialCheck;
  readonly #rechecks = new Set<Recheck>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;
  #isWanted = false;

  constructor(credentialCheck: CredentialCheck, everyMs = checkEveryMs) {
    this.#credentialCheck = credentialCheck;
    this.#timer = setInterval(() => void this.check(), everyMs).unref();
  }

  /** Calls `end` once the credentials are no longer valid. The owner's always are. Returns the undo. */
  hold({ via }: Principal, visitor: Visitor, end: () => void): () => void {
    if (via === 'owner' || via === 'nothing') return () => {};
    const recheck = { visitor, end };
    this.#rechecks.add(recheck);
    return () => void this.#rechecks.delete(recheck);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Ends connections whose credentials were revoked or have expired. */
  async check(): Promise<void> {
    // A revocation during a check may be too late for that check.
    this.#isWanted = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#checkAll();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkAll(): Promise<void> {
    const checks = new Map<string | undefined, Promise<boolean>>();
    for (const recheck of this.#rechecks) {
      const secret = recheck.visitor.token ?? recheck.visitor.device;
      // Connections with the same credentials share one check.
      const isValid = (secret !== undefined && checks.get(secret)) || this.#isValid(recheck.visitor);
      checks.set(secret, isValid);
      if (await isValid) continue;
      this.#rechecks.delete(recheck);
      recheck.end();
    }
  }

  async #isValid(visitor: Visitor): Promise<boolean> {
    try {
      await this.#credentialCheck.identify(visitor);
      return true;
    } catch (error) {
      // An issuer that is briefly unreachable does not end connections.
      return !(error instanceof AppError && error.code === 'bad-token');
    }
  }
}
