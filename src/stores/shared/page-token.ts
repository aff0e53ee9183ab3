import { AppError } from '../../domain/errors.js';

/** Where a page ends. Newest first; ties are ordered by id. */
export type PageKey = readonly [at: string, id: string];

export function pageTokenOf(key: PageKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

export function readPageToken(token: string): PageKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(key) && typeof key[0] === 'string' && typeof key[1] === 'string') return [key[0], key[1]];
  } catch {
    // Reported below.
  }
  throw new AppError('bad-request', 'the page token was not issued by this server');
}
