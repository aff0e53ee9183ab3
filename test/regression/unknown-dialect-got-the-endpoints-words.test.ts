import { expect, test } from 'vitest';
import { serveHub } from '../support/served-hub.js';

/** `?protocol=` with a word that means nothing here was taken for no word at all: the client got events that it could not read. */
test('a client that asks for an unknown dialect is refused', async () => {
  const hub = await serveHub();
  await expect(hub.connect('?protocol=a2a-v2')).rejects.toThrow('400');
  const client = await hub.connect('?protocol=a2a');
  expect(await client.kind('SNAPSHOT')).toMatchObject({ state: 'submitted' });
  await hub.stop();
});
