import type { Duplex } from 'node:stream';
import type { AppError } from '../../domain/errors.js';
import { errorHeaders } from '../http/error-headers.js';
import { toHttpError } from '../http/error-table.js';

/** Answers an upgrade request like any other refused request, then hangs up. */
export function refuseUpgrade(socket: Duplex, error: AppError): void {
  const { status, body } = toHttpError(error);
  const json = JSON.stringify(body);
  const headers = Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${error.code}\r\nContent-Type: application/json\r\n${headers.join('')}` +
      `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
  );
}
