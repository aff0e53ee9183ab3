import { AppError } from '../domain/errors.js';
import type { Engine, TurnRequest } from '../engine/engine.js';
import { sanitize } from '../util/sanitize.js';

/** The request as it may enter the queue. Throws when it may not. */
export function admit(request: TurnRequest, engine: Engine): TurnRequest {
  if (engine.refusal !== undefined) throw new AppError('not-ready', engine.refusal);
  if (request.kind === 'command') checkCommand(request.text, engine);
  return { ...request, text: checkText(request.text) };
}

/** The text as a session takes it. Throws when nothing of it can be seen. */
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
