import type { WebSocket } from 'ws';
import type { AppError } from '../../domain/errors.js';
import { errorNotice } from './error-notice.js';
import type { Waiter } from './greet.js';

/** RFC 6455's "policy violation". */
const refusedCode = 1008;

/** Sends a frame with the reason and closes, because a browser cannot read the response to an upgrade. */
export function turnAway(webSocket: WebSocket, error: AppError): Waiter {
  webSocket.send(JSON.stringify(errorNotice(error)));
  webSocket.close(refusedCode, error.code);
  return { receive: () => {}, stop: () => {} };
}
