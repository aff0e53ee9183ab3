import type { IncomingMessage } from 'node:http';

/** Looks at a request before anything reads its body. Throws an AppError to refuse it. */
export type Guard = (request: IncomingMessage) => void | Promise<void>;

/** Runs guards in order; the first refusal stands. */
export function all(guards: readonly Guard[]): Guard {
  return async (request) => {
    for (const guard of guards) await guard(request);
  };
}
