import { AppError } from '../../domain/errors.js';
import type { Guard } from './guard.js';

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** A page may send `text/plain` or a form to any address without asking first; JSON it may not. */
export const jsonOnlyGuard: Guard = ({ method = 'GET', headers }) => {
  if (['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method) || json.test(headers['content-type'] ?? '')) return;
  throw new AppError(
    'not-json',
    `send the body as application/json, not ${headers['content-type'] ?? 'without a type'}`,
  );
};
