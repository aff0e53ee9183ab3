import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Core, loadCore } from '../../../src/engine/headless/core/core.js';
import { policiesOf, rememberExcludedTools } from '../../../src/engine/headless/core/policies.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let core: Core;
let userFile: string;
beforeAll(async () => {
  process.env['GEMINI_CLI_HOME'] = temporaryFolder();
  core = await loadCore();
  mkdirSync(core.Storage.getUserPoliciesDir(), { recursive: true });
  userFile = join(core.Storage.getUserPoliciesDir(), 'mine.toml');
});

const rule = (tool: string, decision: string) =>
  `[[rule]]\ntoolName = "${tool}"\ndecision = "${decision}"\npriority = 500\n`;
const load = (settings = {}) => policiesOf(core, settings, core.ApprovalMode.DEFAULT);
const decisionsOn = async (tool: string) => {
  const { rules = [] } = await load();
  return rules.flatMap(({ toolName, decision, priority = 0 }) => (toolName === tool && priority > 4 ? [decision] : []));
};

test('sessions share the rules, but not the lists that they add to', async () => {
  const [one, two] = [await load(), await load()];
  one.rules?.push({ toolName: 'x', decision: core.PolicyDecision.DENY });
  expect(two.rules?.length).toBe((one.rules?.length ?? 0) - 1);
  expect(two.rules?.[0]).toBe(one.rules?.[0]);
});

test('a policy file that is added, changed or deleted counts for the next session', async () => {
  expect(await decisionsOn('glob')).toEqual([]);
  writeFileSync(userFile, rule('glob', 'deny'));
  expect(await decisionsOn('glob')).toEqual(['deny']);
  writeFileSync(userFile, rule('glob', 'ask_user'));
  expect(await decisionsOn('glob')).toEqual(['ask_user']);
  rmSync(userFile);
  expect(await decisionsOn('glob')).toEqual([]);
});

test('settings that differ have rules of their own', async () => {
  const { rules = [] } = await load({ tools: { exclude: ['glob'] } });
  expect(rules.some(({ toolName, decision }) => toolName === 'glob' && decision === core.PolicyDecision.DENY)).toBe(
    true,
  );
  expect(await decisionsOn('glob')).toEqual([]);
});

test('what is wrong with a policy file is said to every session', async () => {
  const said: string[] = [];
  const listen = ({ message }: { message: string }): void => void said.push(message);
  core.coreEvents.on(core.CoreEvent.UserFeedback, listen);
  writeFileSync(userFile, 'this is not toml');
  await load();
  await load();
  core.coreEvents.off(core.CoreEvent.UserFeedback, listen);
  rmSync(userFile);
  expect(said.filter((text) => text.includes('mine.toml'))).toHaveLength(2);
});

test('which tools are excluded follows every change of the rules, the mode and the tools', async () => {
  const plain = new core.PolicyEngine(await load());
  const quick = new core.PolicyEngine(await load());
  rememberExcludedTools(quick);
  const both = [plain, quick];
  const names = new Set(['glob', 'run_shell_command', 'write_file', 'ask_user']);
  const deny = { toolName: 'glob', decision: core.PolicyDecision.DENY, priority: 4.9, source: 'a test' };
  const steps: readonly (() => unknown)[] = [
    () => {},
    () => {},
    () => both.map((engine) => engine.addRule(deny)),
    () => both.map((engine) => engine.setApprovalMode(core.ApprovalMode.PLAN)),
    () => both.map((engine) => engine.removeRulesBySource('a test')),
    () => both.map((engine) => engine.addRule({ ...deny, toolName: 'write_file' })),
    () => names.add('web_fetch'),
    () => both.map((engine) => engine.setApprovalMode(core.ApprovalMode.DEFAULT)),
  ];
  const seen = steps.map((step) => {
    step();
    const found = quick.getExcludedTools(new Map(), names);
    expect(found).toEqual(plain.getExcludedTools(new Map(), names));
    // Who gets the set may change it.
    const size = found.size;
    found.add('spoilt');
    return size;
  });
  expect(new Set(seen).size).toBeGreaterThan(2);
});
