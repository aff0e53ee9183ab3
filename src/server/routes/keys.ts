import { Router } from 'express';
import type { CardKey } from '../a2a/card/sign-card.js';

/** The public key that verifies the agent card; its id stands in the card's signature. */
export function keyRoutes(key: CardKey | undefined): Router {
  const router = Router();
  router.get('/.well-known/jwks.json', (_request, response) => {
    response.json({ keys: key ? [key.publicJwk] : [] });
  });
  return router;
}
