import { expect, test } from 'vitest';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { base } = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9' }, 'file');

const forms: readonly (readonly [string, string, Record<string, string>])[] = [
  ['both versions in one', '.well-known/agent-card.json', {}],
  ['both versions in one, at the old address', '.well-known/agent.json', {}],
  ['v1.0 by its header', '.well-known/agent-card.json', { 'a2a-version': '1.0' }],
  ['v1.0 by its address', 'v1/.well-known/agent-card.json', {}],
];

test('every form of the card can be cached and asked for again', async () => {
  for (const [name, path, headers] of forms) {
    const card = await fetch(`${base}/${path}`, { headers });
    const validators = {
      'if-none-match': card.headers.get('etag') ?? '',
      'if-modified-since': card.headers.get('last-modified') ?? '',
    };
    expect([name, validators]).toEqual([
      name,
      { 'if-none-match': expect.stringMatching(/^"[\w-]+"$/), 'if-modified-since': expect.stringMatching(/ GMT$/) },
    ]);
    for (const [header, value] of Object.entries(validators)) {
      const again = await fetch(`${base}/${path}`, { headers: { ...headers, [header]: value } });
      expect([name, header, again.status, await again.text()]).toEqual([name, header, 304, '']);
    }
    const old = { ...headers, 'if-modified-since': new Date(0).toUTCString() };
    expect((await fetch(`${base}/${path}`, { headers: old })).status).toBe(200);
    const changed = await fetch(`${base}/${path}`, { headers: { ...headers, 'if-none-match': '"another"' } });
    expect(await changed.json()).toEqual(await card.json());
  }
});

test('the card of a server that needs no token asks for none, and says what v0.3 has a word for', async () => {
  for (const path of ['.well-known/agent-card.json', 'v1/.well-known/agent-card.json']) {
    const card: unknown = await (await fetch(`${base}/${path}`)).json();
    for (const field of ['securitySchemes', 'security', 'securityRequirements']) expect(card).not.toHaveProperty(field);
  }
  const card: unknown = await (await fetch(`${base}/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({ capabilities: { stateTransitionHistory: true } });
});
