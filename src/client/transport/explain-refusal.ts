import { CosessionError, fromWireError } from './cosession-error.js';
import { type Endpoint, headersOf, httpUrl } from './endpoint.js';
import { toRecord } from './replies.js';

export type Refusal = {
  readonly error: CosessionError;
  /** Trying again would give the same answer: the token has ended, or the task is gone. */
  readonly isFinal: boolean;
};

/** A WebSocket does not report why it was refused. A plain request to the same address gets the server's own words. */
export async function explainRefusal(
  endpoint: Omit<Endpoint, 'WebSocket'>,
  refused: URL,
  reason: string,
): Promise<Refusal> {
  const { url, fetch } = endpoint;
  const ask = { headers: headersOf(endpoint), signal: AbortSignal.timeout(2000) };
  const response = await fetch(httpUrl(refused), ask).catch(() => undefined);
  const refusal = response && (await errorIn(response));
  if (refusal) return refusal;
  const why = `cannot connect to ${url.href}${reason && `: ${reason}`}`;
  return { error: new CosessionError('cannot-connect', why), isFinal: false };
}

/** Undefined if the response does not refuse anything, or was not written by a Cosession server. */
async function errorIn(response: Response): Promise<Refusal | undefined> {
  const { error: data } = toRecord(await response.json().catch(() => undefined));
  const { code, message } = toRecord(data);
  if (response.status < 400 || code === 'upgrade-required' || typeof code !== 'string') return undefined;
  const isFinal = response.status < 500 && response.status !== 429;
  return { error: fromWireError({ message, data }), isFinal };
}
