import { expect, test } from 'vitest';
import { alice, openHub } from '../support/hub.js';
import { ManualEngine } from '../support/manual-engine.js';

test('a change in the terminal is not the change of a client that asked for the same and was refused', async () => {
  const engine = new ManualEngine();
  engine.settings = {
    open: async () => {},
    choices: () => ({ modes: [], models: [] }),
    setMode: async () => {
      throw new Error('refused');
    },
    setModel: async (model) => engine.report({ type: 'settings', model, approvalMode: 'default' }),
  };
  const { session, events } = openHub({ engine });
  const changes = (): object[] => events.filter(({ type }) => type === 'settings');

  await expect(session.settings?.setMode('yolo', alice)).rejects.toThrow('refused');
  engine.report({ type: 'settings', model: 'flash', approvalMode: 'yolo' });
  expect(changes().at(-1)).not.toHaveProperty('by');

  await session.settings?.setModel('pro', alice);
  expect(changes().at(-1)).toMatchObject({ model: 'pro', by: alice });
});
