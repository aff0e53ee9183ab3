import type { AppError } from '../../domain/errors.js';
import type { Notices } from '../../dialects/endpoint/events.js';
import { errorTable } from '../http/error-table.js';

/** A failure as a frame of its own, for a client whose request had no id or that is turned away. */
export function errorNotice({ code, message, details }: AppError): Notices['ERROR_REPLY'] {
  return { kind: 'ERROR', code: errorTable[code].rpc, message, data: { code, ...details } };
}
