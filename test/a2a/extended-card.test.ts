import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { expect, test } from 'vitest';
import { agentCard } from '../../src/dialects/a2a/card.js';
import { extendedCard } from '../../src/dialects/a2a/extended-card.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { serveHub, token } from '../support/served-hub.js';

const plain = agentCard({
  url: 'http://127.0.0.1:1/',
  version: '1',
  isClosed: true,
  security: [],
  hasExtendedCard: true,
  acpVersions: [1],
  name: 'n',
  description: 'd',
});

test('adds the commands, one skill for each that can be run, and where and with what the agent works', () => {
  const command = (name: string, subCommands: ReturnType<typeof leaf>[] = []) => ({ ...leaf(name), subCommands });
  const leaf = (name: string) => ({ name, description: `does ${name}`, arguments: [], subCommands: [] });
  const commands = [command('stats'), command('memory', [leaf('add'), leaf('list')])];
  const card = extendedCard(plain, { commands, model: 'gemini', workspace: '/project' });
  expect(card.skills.map(({ id, name }) => [id, name])).toEqual([
    ['code_generation', 'Code Generation'],
    ['command.stats', '/stats'],
    ['command.memory.add', '/memory add'],
    ['command.memory.list', '/memory list'],
  ]);
  expect(card.skills.at(-1)?.description).toBe('does list (command/execute with command_path ["memory","list"])');
  expect(card.capabilities?.extensions.find(({ uri }) => uri === extensionUri)?.params).toEqual({
    model: 'gemini',
    workspace_path: '/project',
  });
});

test('is signed like the public one, which says nothing of it', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const hub = await serveHub({ model: 'gemini' }, { requireToken: true, cardKey });
  const headers = { 'a2a-version': '1.0', authorization: `Bearer ${token}` };
  const card = AgentCard.fromJSON(await (await fetch(`${hub.base}/a2a/rest/extendedAgentCard`, { headers })).json());
  const { keys } = (await (await fetch(`${hub.base}/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] };
  const verify = verifyAgentCardSignature(() =>
    Promise.resolve(createPublicKey({ key: keys[0] ?? {}, format: 'jwk' })),
  );
  await verify(card);
  expect(card.skills).toHaveLength(2);
  const open = await (await fetch(`${hub.base}/.well-known/agent-card.json`)).text();
  expect(JSON.parse(open)).toMatchObject({ supportsAuthenticatedExtendedCard: true, skills: [{}] });
  expect(open).not.toContain('/stats');
  await hub.stop();
});
