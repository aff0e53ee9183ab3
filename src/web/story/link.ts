import type { CosessionError, CosessionErrorCode } from '../../client/client.js';

/** The state of the page's connection. */
export type Link =
  | { readonly state: 'connecting' | 'open' }
  | {
      readonly state: 'reconnecting';
      readonly since: number;
      readonly tries: number;
      /** Why it was lost, if the server said so. */
      readonly reason: 'lost' | 'restart' | 'slow';
    }
  | { readonly state: 'closed'; readonly error: CosessionError };

/** The meaning of the close codes of docs/websocket-api.md. */
export function reasonOf(closeCode: number): Extract<Link, { state: 'reconnecting' }>['reason'] {
  if (closeCode === 1001 || closeCode === 1012) return 'restart';
  return closeCode === 1013 ? 'slow' : 'lost';
}

/** Errors that may be gone a moment later. */
const temporary: ReadonlySet<string> = new Set<CosessionErrorCode>([
  'cannot-connect',
  'disconnected',
  'overflow',
  'events-lost',
  'rate-limited',
  'auth-unavailable',
  'task-elsewhere',
  'shutting-down',
  'too-many-clients',
  'too-slow',
  'not-ready',
  'store-unavailable',
  'internal',
]);

export function isTemporary({ code }: CosessionError): boolean {
  return temporary.has(code);
}

/** Errors that mean: the server does not know this browser any more. */
export function isUnpaired({ code }: CosessionError): boolean {
  return code === 'token-required' || code === 'bad-token';
}
