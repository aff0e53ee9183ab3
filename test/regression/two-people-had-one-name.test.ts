import { afterAll, beforeAll, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

const shown: string[] = [];
let hub: ServedHub;

beforeAll(async () => {
  const presence = { joined: (client: string) => void shown.push(client), left: () => {} };
  hub = await serveHub({ engineOrigin: { surface: 'tui' } }, { presence });
});
afterAll(() => hub.stop());

const prompters = (): unknown[] =>
  hub.session.eventsAfter(0, 100).flatMap((event) => ('origin' in event ? [event.origin] : []));

test('of several clients that call themselves the same, the terminal and everyone else see which one prompted', async () => {
  const [first, second] = [
    await hub.connect('?client=ada&protocol=endpoint'),
    await hub.connect('?client=ada&protocol=endpoint'),
  ];
  expect(shown).toEqual(['ada', 'ada 2']);
  await first.prompt('one');
  await second.prompt('two');
  const editor = await AcpClient.connect(`ws://127.0.0.1:${hub.server.port}/acp`, { name: 'ada' });
  void editor.prompt('three').catch(() => {});
  await until(() => prompters().length === 3);
  expect(prompters()).toMatchObject([
    { surface: 'a2a', client: 'ada' },
    { surface: 'a2a', client: 'ada 2' },
    { surface: 'acp', client: 'ada 3' },
  ]);
});
