import type { RawData } from 'ws';
import { AppError } from '../../domain/errors.js';
import type { DialectName } from './dialect.js';

/** The dialect of a client of `/ws`. */
export type Spoken = DialectName | 'acp';

/** A client that is silent for this long only wants to watch. ACP clients start within a few milliseconds. */
export const silenceMs = 100;
/** Without a session to watch, we wait only for ACP clients, which may be on a slow network. */
export const longSilenceMs = 5000;

/** The dialect a client names before its first frame. Undefined if it names none. Throws if we do not support it. */
export function spokenBy(url: URL, subprotocols = ''): Spoken | undefined {
  const offered = subprotocols.split(/,\s*/);
  if (url.pathname === '/acp' || offered.includes('acp') || offered.includes('acp.v1')) return 'acp';
  if (offered.includes('a2a')) return 'a2a';
  const named = url.searchParams.get('protocol');
  if (named === 'acp' || named === 'a2a' || named === 'endpoint') return named;
  if (named !== null)
    throw new AppError('bad-request', `unknown protocol "${named}"; ?protocol= must be endpoint, a2a or acp`);
  // Only the endpoint's dialect has cursors.
  return url.searchParams.has('after') ? 'endpoint' : undefined;
}

/** Every ACP connection starts with `initialize`, which is not an A2A method. */
export function isInitialize(data: RawData): boolean {
  const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
  if (!text.includes('"initialize"')) return false;
  try {
    const message: unknown = JSON.parse(text.split('\n', 1)[0] ?? '');
    return (
      typeof message === 'object' &&
      message !== null &&
      'id' in message &&
      Reflect.get(message, 'method') === 'initialize'
    );
  } catch {
    return false;
  }
}
