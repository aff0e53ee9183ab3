import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { ModelConnection } from '../../gemini/own-call-ids.js';

/**
 * Lets the event loop turn before each request to the model. Core has kept it busy for a millisecond by then, and writing the
 * request takes as long again. In between, clients get what has reached the disk meanwhile, such as that their prompt was
 * accepted. Otherwise that would be written when the reply has come, and the reply would wait for it.
 */
export function yieldBeforeRequests(connection: ModelConnection): void {
  const generate = connection.generateContentStream.bind(connection);
  connection.generateContentStream = async (...request) => {
    await turnOfTheLoop();
    return generate(...request);
  };
}
