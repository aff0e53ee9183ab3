import { expect, test } from 'vitest';
import type { EventBody } from '../../src/domain/events.js';
import { openStore } from '../../src/stores/open.js';
import { useStorePlaces } from '../support/store-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { taskOf } from './samples.js';

const places = useStorePlaces();

/** The tables as a server had them that kept no turns. */
function undo(prefix: string): string {
  const place = prefix === '' ? '' : ` on ${prefix}tasks; drop function ${prefix}forget_task`;
  return [
    `drop trigger ${prefix}forget_task${place}`,
    `drop table ${prefix}turns`,
    `drop table ${prefix}summaries`,
    `drop table ${prefix}usage`,
    `delete from ${prefix}migrations where version >= 5`,
    `delete from ${prefix}compatibility where version >= 5`,
  ].join(';');
}

const bodies: readonly (readonly [string, EventBody])[] = [
  ['one', { type: 'prompt', text: 'a', origin: { surface: 'a2a' }, contextId: 'ours' }],
  ['one', { type: 'turn', state: 'working' }],
  ['two', { type: 'prompt', text: 'b', origin: { surface: 'a2a' }, queued: 1 }],
  ['one', { type: 'text', text: 'the "type":"turn" of \u0000 it' }],
  ['one', { type: 'turn', state: 'failed', error: 'no \u0000' }],
  ['one', { type: 'turn', state: 'completed' }],
];

test.each(places)('%s: the turns of a store that had no list of them are found in its events', async (_, placeIn) => {
  const { url, change } = await placeIn(temporaryFolder());
  const open = () => openStore(url, { stateDir: '/nowhere', env: {} });
  const before = await open();
  await before.saveTask(taskOf('t', { owner: 'ada' }));
  for (const [index, [turnId, body]] of bodies.entries())
    await before.append({ seq: index + 1, at: `2026-01-0${index + 1}`, sessionId: 't', turnId, ...body });
  const turns = (await before.turns({ limit: 9, owner: 'ada' })).turns;
  expect(turns).toHaveLength(2);
  await before.close();
  await change(undo);
  const after = await open();
  expect((await after.turns({ limit: 9, owner: 'ada' })).turns).toEqual(turns);
  await after.close();
});
