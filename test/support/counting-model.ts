import { type Part, say, think } from '../../src/demo/reply.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { lastPrompt } from '../../src/demo/script.js';

/** A model that counts up to the number it is asked for, an event for each; what it says to anything else is short. */
export function startCountingModel(): Promise<ModelServer> {
  return startModelServer((request) => {
    const count = Number(/count to (\d+)/.exec(lastPrompt(request))?.[1] ?? 0);
    return { chunks: count === 0 ? [[say('short')]] : Array.from({ length: count }, (_, n) => [pieceOf(n)]) };
  });
}

/** Text that comes at once is gathered into one event; between thoughts it is not. */
function pieceOf(n: number): Part {
  return n % 2 === 0 ? say(`${n} `) : think('Counting', String(n));
}
