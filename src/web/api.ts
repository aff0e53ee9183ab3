/** The server's HTTP routes, as the page uses them. Paths are relative, so the page works below any base path. */

import { noteServerTime } from './ui/server-time.js';

/** What the server answered instead of what was asked for. `code` is one of docs/errors.md. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const keyName = 'cosession.page';

/**
 * Half of what a paired browser holds. The other half is a cookie that no script can read; browsers send cookies to every
 * port of a host, so a cookie alone is not enough.
 */
export function pageKey(): string | undefined {
  return localStorage.getItem(keyName) ?? undefined;
}

export function keepPageKey(key: string): void {
  localStorage.setItem(keyName, key);
}

export function forgetPageKey(): void {
  localStorage.removeItem(keyName);
}

/** `Answer` is trusted: both ends come from the same release. */
export function get<Answer>(path: string): Promise<Answer> {
  return request('GET', path);
}

export function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return request('POST', path, body);
}

export function remove(path: string, body?: object): Promise<void> {
  return request('DELETE', path, body);
}

/** A stream that continues until the signal aborts. */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(path, { headers: keyHeaders(), signal });
  if (!response.ok || !response.body) throw toError(response.status, await response.text());
  return response.body;
}

function keyHeaders(): Record<string, string> {
  const key = pageKey();
  return key === undefined ? {} : { 'x-cosession-page': key };
}

async function request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...keyHeaders(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  noteServerTime(response);
  const text = await response.text();
  if (!response.ok) throw toError(response.status, text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `get`; 204 has no body and answers `void`
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

function toError(status: number, text: string): ApiError {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked below
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.code === 'string' && typeof error.message === 'string')
      return new ApiError(status, error.code, error.message);
  } catch {
    // A proxy in between may answer with its own page.
  }
  return new ApiError(status, 'internal', `the server answered with status ${status}`);
}
