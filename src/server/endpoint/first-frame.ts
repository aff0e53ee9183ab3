import type { RawData } from 'ws';
import { AppError } from '../../domain/errors.js';
import type { DialectName } from './dialect.js';

/** What a client of `/ws` speaks. */
export type Spoken = DialectName | 'acp';

/** A client that says nothing for so long only wants to watch. ACP clients begin within a few milliseconds. */
export const silenceMs = 100;
/** Where there is nothing to watch, only ACP clients are waited for; one may come from far away. */
export const longSilenceMs = 5000;

/** What a client says it speaks before its first frame; undefined when it does not say. Throws if we do not speak it. */
export function spokenBy(url: URL, subprotocols = ''): Spoken | undefined {
  const offered = subprotocols.split(/,\s*/);
  if (url.pathname === '/acp' || offered.includes('acp') || offered.includes('acp.v1')) return 'acp';
  if (offered.includes('a2a')) return 'a2a';
  const named = url.searchParams.get('protocol');
  if (named === 'acp' || named === 'a2a' || named === 'endpoint') return named;
  if (named !== null)
    throw new AppError('bad-request', `"${named}" is not spoken here: ?protocol= is endpoint, a2a or acp`);
  // Only the endpoint's dialect has cursors.
  return url.searchParams.has('after') ? 'endpoint' : undefined;
}

/** `initialize` is how every ACP connection begins, and no method of A2A. */
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
