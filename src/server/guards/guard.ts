import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Checks a request before anything reads its body. Throws an AppError to refuse it. There is no response for a WebSocket
 * upgrade.
 */
export type Guard = (request: IncomingMessage, response?: ServerResponse) => void | Promise<void>;

/** A guard that decides at once. */
export type QuickGuard = (request: IncomingMessage) => void;

/** Runs guards in order; the first refusal stands. */
export function all(guards: readonly Guard[]): Guard {
  return async (request, response) => {
    for (const guard of guards) {
      const deciding = guard(request, response);
      if (deciding) await deciding;
    }
  };
}
