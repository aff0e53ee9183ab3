import { afterAll, expect, test } from 'vitest';
import { scriptOf } from '../../support/scripts.js';
import { headlessWorld } from '../../support/headless.js';

const world = await headlessWorld({ script: scriptOf({}) });
afterAll(() => world.model.close());
const alice = { surface: 'acp', client: 'alice' } as const;

const ids = (choices: readonly { id: string }[] | undefined): string[] | undefined => choices?.map(({ id }) => id);

test('modes that ask can be chosen, are told and kept; those that run tools unasked are not offered', async () => {
  const { session, engine, events, checkpoints } = world.open();
  await session.settings?.open();
  expect(ids(session.settings?.choices().modes)).toEqual(['default', 'plan']);
  expect(ids(session.settings?.choices().models)).toContain('gemini-2.5-pro');
  await session.settings?.setMode('plan', alice);
  await session.settings?.setModel('gemini-2.5-pro', alice);
  const told = events.flatMap((event) => (event.type === 'settings' ? [`${event.model} ${event.approvalMode}`] : []));
  expect(told).toEqual(['gemini-2.5-flash default', 'gemini-2.5-flash plan', 'gemini-2.5-pro plan']);
  expect(checkpoints.at(-1)).toMatchObject({ model: 'gemini-2.5-pro', approvalMode: 'plan' });
  await engine.dispose();
});

test('where the server lets clients run tools unasked, those modes are offered too', async () => {
  const { session, engine } = world.open({ mayAutoExecute: true });
  await session.settings?.open();
  expect(ids(session.settings?.choices().modes)).toEqual(['default', 'plan', 'autoEdit', 'yolo']);
  await engine.dispose();
});
