import { expect, test, vi } from 'vitest';
import { call } from '../../../src/demo/reply.js';
import { headlessWorld } from '../../support/headless.js';
import { openConfig } from '../../support/headless-config.js';
import { alice, prompt } from '../../support/hub.js';
import { scriptOf } from '../../support/scripts.js';
import { until } from '../../support/until.js';

test('a session that is opened leaves no marks on the timeline of the process', async () => {
  await openConfig({}, 'http://127.0.0.1:1');
  expect(performance.getEntriesByType('mark').filter(({ name }) => name.startsWith('startup:'))).toEqual([]);
});

/** It takes 10 MB, and core loaded it with the first task. */
test('the first command loads the parser of commands, before it is asked about', async () => {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { instantiate(): unknown } };
  const instantiate = vi.spyOn(WebAssembly, 'instantiate');
  const run = (command: string) => [call('run_shell_command', { command })];
  const world = await headlessWorld({
    script: scriptOf({ first: run('cd . && sleep 0'), next: run('sleep 0 | sleep 0') }),
  });
  const { session, events, engine } = world.open();
  const over = (turns: number) =>
    until(() => events.filter((event) => event.type === 'turn' && event.state === 'completed').length === turns);
  session.submit(prompt('hello'));
  await over(1);
  expect(instantiate).not.toHaveBeenCalled();
  session.submit(prompt('first'));
  const asked = await until(() => events.find((event) => event.type === 'tool' && event.call.status === 'waiting'));
  expect(instantiate).toHaveBeenCalled();
  // Allows both commands by their names, which only the parser knows.
  session.answer(asked.type === 'tool' ? asked.call.id : '', { optionId: 'proceed_always' }, alice);
  await over(2);
  session.submit(prompt('next'));
  await over(3);
  expect(events.filter((event) => event.type === 'tool' && event.call.status === 'waiting')).toEqual([asked]);
  await engine.dispose();
  await world.model.close();
});
