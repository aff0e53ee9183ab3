import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { call } from '../../../src/demo/reply.js';
import { headlessWorld } from '../../support/headless.js';
import { core, openConfig } from '../../support/headless-config.js';
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

test('the policy decides about a call once in a turn of the event loop, unless something has changed', async () => {
  const { ALLOW, ASK_USER, DENY } = core.PolicyDecision;
  const rule = { toolName: 'write_file', priority: 1 };
  let decided = 0;
  const asking = {
    ...rule,
    get decision() {
      decided++;
      return ASK_USER;
    },
  };
  const policy = new core.PolicyEngine({ rules: [asking] });
  const [args, others] = [{ file_path: 'a.txt' }, { file_path: 'a.txt' }];
  const decisionOn = async (asked: typeof args): Promise<unknown> =>
    (await policy.check({ name: 'write_file', args: asked }, undefined)).decision;
  expect([await decisionOn(args), await decisionOn(args)]).toEqual([ASK_USER, ASK_USER]);
  const once = decided;
  expect(once).toBeGreaterThan(0);
  await decisionOn(others);
  expect(decided).toBe(2 * once);
  await turnOfTheLoop();
  await decisionOn(others);
  expect(decided).toBe(3 * once);
  policy.addRule({ ...rule, priority: 2, decision: DENY });
  expect(await decisionOn(others)).toBe(DENY);
  policy.removeRulesForTool('write_file');
  policy.addRule({ ...rule, decision: ALLOW });
  policy.addRule({ ...rule, decision: ALLOW });
  expect(await decisionOn(others)).toBe(ALLOW);
  policy.setApprovalMode(core.ApprovalMode.PLAN);
  policy.addRule({ ...rule, priority: 3, decision: DENY, modes: [core.ApprovalMode.PLAN] });
  expect(await decisionOn(others)).toBe(DENY);
  policy.setApprovalMode(core.ApprovalMode.DEFAULT);
  expect(await decisionOn(others)).toBe(ALLOW);
});
