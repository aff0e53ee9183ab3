import { createServer } from 'node:http';
import { agentCardHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
import { expect, test } from 'vitest';
import { agentCard, type CardOptions } from '../../src/dialects/a2a/card.js';
import { cardV03 } from '../../src/dialects/a2a/card-v03.js';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

const open: CardOptions = {
  name: 'Gemini CLI Agent',
  description: 'an agent',
  url: 'http://127.0.0.1:1/',
  version: '1.0.0',
  isClosed: false,
  security: [],
  hasExtendedCard: false,
  acpVersions: [1],
};
const token = { type: 'bearer', description: 'a token' } as const;
const issuer = { type: 'openIdConnect', url: 'https://id.example/', description: 'Ours' } as const;

const cards: readonly (readonly [string, CardOptions, object])[] = [
  ['a server that needs no token', open, {}],
  ['a server with gRPC', { ...open, grpcHost: '127.0.0.1:2' }, {}],
  ['a server with tokens and an issuer', { ...open, isClosed: true, security: [token, token, issuer] }, {}],
  ['a signed card', open, { signatures: [{ protected: 'a', signature: 'b', header: undefined }] }],
];

test.each(cards)(
  'the card of %s is the one that the SDK makes, and names the history of states',
  async (_name, options, more) => {
    const card = { ...agentCard(options), ...more };
    const app = express();
    app.use(agentCardHandler({ agentCardProvider: () => Promise.resolve(card), legacyCompat: { enabled: true } }));
    const server = createServer(app);
    const port = await listenOnLoopback(server, 0);
    const theirs = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as { capabilities: object };
    await closeServer(server);
    const capabilities = { ...theirs.capabilities, stateTransitionHistory: true };
    expect(JSON.parse(JSON.stringify(cardV03(card)))).toEqual({ ...theirs, capabilities });
  },
);
