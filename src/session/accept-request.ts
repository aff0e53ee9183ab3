import { AppError } from '../domain/errors.js';
import type { Engine, TurnRequest } from '../engine/engine.js';
import { sanitize } from '../util/text/sanitize.js';

/** Returns the request as it enters the queue. Throws if it is not accepted. */
export function acceptRequest(request: TurnRequest, engine: Engine): TurnRequest {
  if (engine.refusal !== undefined) throw new AppError('not-ready', engine.refusal);
  if (request.kind === 'command') checkCommand(request.text, engine);
  return { ...request, text: checkText(request.text) };
}

/** Returns the sanitized text. Throws if none of it is visible. */
export function checkText(given: string): string {
  const text = sanitize(given);
  if (text.trim() === '') throw new AppError('bad-request', 'the message has no visible text');
  return text;
}

function checkCommand(text: string, engine: Engine): void {
  const line = text.replace(/^\//, '');
  const why = engine.refusalOfCommand(line);
  if (why !== undefined) throw new AppError('command-refused', `/${line} cannot be run from here: ${why}`);
}
