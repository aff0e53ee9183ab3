import { afterEach, beforeEach, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { modes, settableEngine } from '../support/settable-engine.js';

let hub: ServedHub;
let clients: AcpClient[];
beforeEach(() => {
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await hub.stop();
});

async function connect(name: string): Promise<AcpClient> {
  const client = await AcpClient.connect(`${hub.base.replace('http', 'ws')}/ws`, { name, join: false });
  clients.push(client);
  return client;
}

test('who joins is told the model and the mode, and what else can be chosen', async () => {
  hub = await serveHub({ engine: settableEngine() });
  const response = await (await connect('alice')).join();
  expect(response.modes).toEqual({ currentModeId: 'default', availableModes: modes });
  expect(response.configOptions).toMatchObject([
    { id: 'model', category: 'model', currentValue: 'large', options: [{ value: 'large' }, { value: 'small' }] },
    { id: 'mode', category: 'mode', currentValue: 'default', options: [{ value: 'default' }, { value: 'plan' }] },
  ]);
});

test('a choice of one client is answered with all options and told to everybody', async () => {
  hub = await serveHub({ engine: settableEngine() });
  const [alice, bob] = [await connect('alice'), await connect('bob')];
  await alice.join();
  await bob.join();
  const wire = await hub.connect('?protocol=endpoint');
  const { sessionId } = alice;
  await alice.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
  await bob.find((update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'plan');
  const { configOptions } = await alice.agent.request('session/set_config_option', {
    sessionId,
    configId: 'model',
    value: 'small',
  });
  expect(configOptions).toMatchObject([{ currentValue: 'small' }, { currentValue: 'plan' }]);
  const isSmall = (update: object): boolean => JSON.stringify(update).includes('"currentValue":"small"');
  await bob.find((update) => update.sessionUpdate === 'config_option_update' && isSmall(update));
  await wire.find((event) => event.kind === 'SETTINGS' && event['model'] === 'small');
});

test.each([
  ['a mode that there is not', 'mode', 'yolo', 'the mode cannot be "yolo"; it can be default, plan'],
  ['an option that there is not', 'colour', 'red', 'there is no option "colour", only mode and model'],
])('%s is refused with what there is', async (_, configId, value, message) => {
  hub = await serveHub({ engine: settableEngine() });
  const alice = await connect('alice');
  await alice.join();
  const { sessionId } = alice;
  const chosen = alice.agent.request('session/set_config_option', { sessionId, configId, value });
  await expect(chosen).rejects.toMatchObject({ code: -32602, message });
});

test('an engine whose settings are chosen elsewhere shows them, and a client is told that it cannot change them', async () => {
  hub = await serveHub();
  hub.engine.report({ type: 'settings', model: 'large', approvalMode: 'yolo' });
  const alice = await connect('alice');
  const { modes: shown } = await alice.join();
  expect(shown).toEqual({ currentModeId: 'yolo', availableModes: [{ id: 'yolo', name: 'yolo' }] });
  const { sessionId } = alice;
  await alice.agent.request('session/set_mode', { sessionId, modeId: 'yolo' });
  await expect(alice.agent.request('session/set_mode', { sessionId, modeId: 'plan' })).rejects.toMatchObject({
    code: -32602,
    message: 'the mode of this session cannot be changed by a client',
  });
});
