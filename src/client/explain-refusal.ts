import { CosessionError, fromWireError } from './cosession-error.js';
import { type Endpoint, httpUrl } from './endpoint.js';

/** A WebSocket does not report why it was refused; a plain request gets the endpoint's own error message. */
export async function explainRefusal({ url, token }: Endpoint, reason: string): Promise<CosessionError> {
  const fallback = new CosessionError('cannot-connect', `cannot connect to ${url.href}${reason && `: ${reason}`}`);
  try {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // Only clients that may connect may read this page; the agent card is public.
    const page = httpUrl(url, '/openapi.json');
    const response = await fetch(page, { headers, signal: AbortSignal.timeout(2000) });
    const body: unknown = await response.json();
    if (response.ok || typeof body !== 'object' || body === null || !('error' in body)) return fallback;
    const { error } = body;
    return fromWireError({ message: messageOf(error), data: error });
  } catch {
    return fallback;
  }
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
}
