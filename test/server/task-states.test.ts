import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { eventsOf } from '../support/sse.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
});
afterEach(() => served.stop());

async function stateOf(id: string): Promise<string> {
  return ((await (await served.get(`tasks/${id}`)).json()) as { state: string }).state;
}

const ends = ['completed', 'failed', 'canceled'] as const;

test.each(ends)('[002-2] a task goes from submitted over working and input-required to %s', async (end) => {
  await served.post('tasks', { contextId: 'one' });
  const seen = [await stateOf('one')];
  const asking = served.post('message/stream', { taskId: 'one', userMessage: { kind: 'text-content', text: 'go' } });
  const engine = await served.started('one');
  seen.push(await stateOf('one'));
  engine.report({ type: 'tool', call: waitingShell() });
  expect((await eventsOf(await asking)).at(-1)?.data).toMatchObject({ state: 'input-required', final: true });
  seen.push(await stateOf('one'));
  const yes = { kind: 'tool-call-confirmation', toolCallId: 'call-1', approved: true };
  const answering = served.post('message/stream', { taskId: 'one', userMessage: yes });
  await until(() => engine.answered.length > 0);
  seen.push(await stateOf('one'));
  engine.end(end);
  expect((await eventsOf(await answering)).at(-1)?.data).toMatchObject({ state: end, final: true });
  expect([...seen, await stateOf('one')]).toEqual(['submitted', 'working', 'input-required', 'working', end]);
});
