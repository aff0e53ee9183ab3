import { createHash } from 'node:crypto';
import { AgentCard } from '@a2a-js/sdk';
import { type Request, type RequestHandler, Router } from 'express';
import { cardV03 } from '../../../dialects/a2a/card-v03.js';
import { isLegacy } from '../calls/call-context.js';

const maxAge = 60;

/** Without a version in the request, the card combines both forms. Clients that request v1.0 get only that. */
export function cardRoutes(card: AgentCard): Router {
  const madeAt = new Date();
  const pure = document(AgentCard.toJSON(card), madeAt);
  const hybrid = document(cardV03(card), madeAt);
  const router = Router();
  router.get('/v1/.well-known/agent-card.json', pure);
  router.get(['/.well-known/agent-card.json', '/.well-known/agent.json'], (request, response, next) =>
    (isLegacy(request) ? hybrid : pure)(request, response, next),
  );
  return router;
}

/** Sends the same JSON to every client that does not have it yet (A2A 8.6.1). */
function document(content: unknown, madeAt: Date): RequestHandler {
  const body = JSON.stringify(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const lastModified = madeAt.toUTCString();
  const headers = {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${maxAge}`,
    vary: 'A2A-Version',
    etag,
    'last-modified': lastModified,
  };
  return (request, response) => {
    response.set(headers);
    if (isKnown(request, etag, lastModified)) response.status(304).end();
    else response.send(body);
  };
}

/** RFC 9110, 13. Express ignores the condition if there is a `no-cache`, which `fetch` adds to every such request. */
function isKnown({ headers }: Request, etag: string, lastModified: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(lastModified);
  return known.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
