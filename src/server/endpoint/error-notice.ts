import type { AppError } from '../../domain/errors.js';
import type { Notices } from '../../dialects/endpoint/events.js';
import { errorData } from '../http/error-data.js';
import { errorTable } from '../http/error-table.js';

/** An error as its own frame, for a client that is turned away or whose request had no id. */
export function errorNotice(error: AppError): Notices['ERROR_REPLY'] {
  const { code, message } = error;
  return { kind: 'ERROR', code: errorTable[code].rpc, message, data: { code, ...errorData(error) } };
}
