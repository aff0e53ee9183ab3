import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { agentCard } from '../../src/dialects/a2a/card.js';
import { readCardKey, signCard } from '../../src/server/a2a/card/sign-card.js';
import { serveHub } from '../support/served-hub.js';

const card = agentCard({
  name: 'Gemini CLI Agent',
  url: 'http://127.0.0.1:1/',
  version: '1.0.0',
  isClosed: true,
  security: [],
  hasExtendedCard: false,
  acpVersions: [1],
  description: 'a card with a security scheme',
});
const jku = 'http://127.0.0.1:1/.well-known/jwks.json';

const pems: [string, () => string][] = [
  [
    'ES256',
    () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['EdDSA', () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  [
    'RS256',
    () =>
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
  ],
];

describe.each(pems)('a card signed with %s', (algorithm, pem) => {
  const key = readCardKey(pem());

  test('verifies as it goes over the wire, by the key its header names', async () => {
    const wire = AgentCard.toJSON(await signCard(card, key, jku));
    const asked: unknown[] = [];
    const verify = verifyAgentCardSignature((kid, url) => {
      asked.push([kid, url]);
      return Promise.resolve(createPublicKey({ key: key.publicJwk, format: 'jwk' }));
    });
    await verify(AgentCard.fromJSON(wire));
    expect(asked).toEqual([[key.publicJwk.kid, jku]]);
    expect(key.algorithm).toBe(algorithm);
    expect(key.publicJwk).not.toHaveProperty('d');
  });

  test('does not verify once anything in it was changed', async () => {
    // The SDK prints what does not verify.
    const print = vi.spyOn(console, 'debug').mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const signed = await signCard(card, key, jku);
    const verify = verifyAgentCardSignature(() =>
      Promise.resolve(createPublicKey({ key: key.publicJwk, format: 'jwk' })),
    );
    await expect(verify({ ...signed, description: 'another agent' })).rejects.toThrow(/signature/i);
  });
});

test.each([
  ['nonsense', 'not a private key in PEM form'],
  [
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    'must be P-256',
  ],
])('a key that cannot sign is refused in words', (pem, message) => expect(() => readCardKey(pem)).toThrow(message));

test('a server with a key serves the signed card and the key that verifies it', async () => {
  const [, pem] = pems[0] ?? ['', () => ''];
  const hub = await serveHub({}, { cardKey: pem() });
  const { keys } = (await (await fetch(`${hub.base}/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] };
  const wire: unknown = await (await fetch(`${hub.base}/v1/.well-known/agent-card.json`)).json();
  const verify = verifyAgentCardSignature((kid) => {
    const [key] = keys.filter((known) => 'kid' in known && known['kid'] === kid);
    return Promise.resolve(createPublicKey({ key: key ?? {}, format: 'jwk' }));
  });
  await expect(verify(AgentCard.fromJSON(wire))).resolves.toBeUndefined();
  await hub.stop();
});
