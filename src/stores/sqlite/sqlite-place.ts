import { statSync } from 'node:fs';
import { AppError } from '../../domain/errors.js';

/** Checks that the open file is still the one at its path. */
export type DatabasePlace = {
  /** For pieces of replies: looks only now and then. What ends their turn is checked again. */
  wasKeptLately(): boolean;
  /** Throws if it is not: anything written to a deleted file is lost. */
  check(): void;
};

/** Looking takes 0.1 ms, a tenth of the way of a piece through a server. */
const trustedMs = 100;

export function watchPlace(file: string): DatabasePlace {
  const identity = (): string => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.dev} ${found.ino}` : 'nothing';
  };
  const opened = identity();
  const isKept = (): boolean => identity() === opened;
  let trustedUntil = -Infinity;
  return {
    wasKeptLately() {
      const now = performance.now();
      if (now < trustedUntil) return true;
      const isStillThere = isKept();
      if (isStillThere) trustedUntil = now + trustedMs;
      return isStillThere;
    },
    check() {
      if (isKept()) return;
      const cause = new Error(`${file} was deleted or replaced while the server used it: start the server again`);
      throw new AppError('store-unavailable', 'the file of the store was deleted or replaced', { cause });
    },
  };
}
