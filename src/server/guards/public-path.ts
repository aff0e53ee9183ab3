import type { IncomingMessage } from 'node:http';

/** Where a client learns that it needs a token (A2A 8.2), and the key that verifies it. */
const paths: ReadonlySet<string> = new Set([
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/v1/.well-known/agent-card.json',
  '/.well-known/jwks.json',
]);

/** What is readable without a token although one is required. */
export function isPublic({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && paths.has(url.split('?', 1)[0] ?? '');
}
