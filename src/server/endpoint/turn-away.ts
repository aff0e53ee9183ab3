import type { WebSocket } from 'ws';
import type { AppError } from '../../domain/errors.js';
import { errorNotice } from './error-notice.js';
import type { Waiter } from './greet.js';

/** RFC 6455's "policy violation". */
const refusedCode = 1008;

/** Tells a client in a frame why it is not served, and closes: a browser cannot read the answer to an upgrade. */
export function turnAway(webSocket: WebSocket, error: AppError): Waiter {
  webSocket.send(JSON.stringify(errorNotice(error)));
  webSocket.close(refusedCode, error.code);
  return { receive: () => {}, stop: () => {} };
}
