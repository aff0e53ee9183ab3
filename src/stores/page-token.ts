import { AppError } from '../domain/errors.js';
import type { StoredTask } from './store.js';

/** Where a page ends: newest first, the id decides between equals. */
export type PageKey = readonly [updatedAt: string, id: string];

export function keyOf(task: StoredTask): PageKey {
  return [task.updatedAt, task.id];
}

export function pageTokenOf(task: StoredTask): string {
  return Buffer.from(JSON.stringify(keyOf(task))).toString('base64url');
}

export function readPageToken(token: string): PageKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(key) && typeof key[0] === 'string' && typeof key[1] === 'string') return [key[0], key[1]];
  } catch {
    // Told below.
  }
  throw new AppError('bad-request', 'the page token was not given by this server');
}
