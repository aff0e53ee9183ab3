import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { openStore } from '../../src/stores/open.js';
import { UsageError } from '../../src/util/usage-error.js';
import { outputOf, runHere } from '../support/command.js';
import { serveTasks } from '../support/served-tasks.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventOf, taskOf } from '../stores/samples.js';

let stateDir: string;
const run = (name: 'tasks' | 'store', ...args: string[]): Promise<string> => outputOf(name, args, { stateDir });
const failing = (name: 'tasks' | 'store', ...args: string[]) => runHere(name, args, { stateDir }).code;

beforeEach(async () => {
  stateDir = temporaryFolder();
  const store = await openStore('sqlite:', { stateDir, env: {} });
  await store.saveTask(taskOf('one', { minute: 1, owner: 'token:ada' }));
  await store.saveTask(taskOf('two', { minute: 2, state: 'completed' }));
  await store.append(eventOf('one', 1));
  await store.close();
});

test('tasks ls, show, export, rm and import work on the store', async () => {
  const file = join(stateDir, 'one.jsonl.gz');
  expect(await run('tasks', 'ls')).toMatch(
    /^ID +STATE +UPDATED +OWNER +WORKSPACE\ntwo .*\none +working .* token:ada +project\n$/,
  );
  expect(JSON.parse(await run('tasks', 'ls', '--state', 'completed', '--json'))).toMatchObject({ id: 'two' });
  expect(JSON.parse(await run('tasks', 'show', 'one'))).toMatchObject({ id: 'one', owner: 'token:ada', events: 1 });
  expect(await run('tasks', 'export', 'one', file)).toBe(`Task "one" with 1 events is in ${file}.\n`);
  expect(await run('tasks', 'rm', 'one')).toBe('Task "one" is deleted.\n');
  await expect(failing('tasks', 'show', 'one')).rejects.toThrow('there is no task "one"');
  expect(await run('tasks', 'import', file)).toBe('1 task with 1 event imported, 0 were there already.\n');
  expect(JSON.parse(await run('tasks', 'show', 'one'))).toMatchObject({ id: 'one', events: 1 });
  const deletions = [];
  for await (const entry of new AuditFolder(stateDir).read({ action: 'delete' })) deletions.push(entry);
  expect(deletions).toMatchObject([{ taskId: 'one', by: { surface: 'cli' } }]);
});

test('tasks ls, show and rm ask a running server', async () => {
  const served = await serveTasks();
  try {
    await served.post('tasks', { contextId: 'far' });
    const there = ['--server', served.server.url];
    expect(await run('tasks', 'ls', ...there)).toMatch(/^ID.*\nfar +submitted /);
    expect(JSON.parse(await run('tasks', 'show', 'far', ...there))).toMatchObject({ id: 'far', kind: 'task' });
    expect(await run('tasks', 'rm', 'far', ...there)).toBe('Task "far" is deleted.\n');
    expect(await run('tasks', 'ls', ...there)).toBe('No tasks.\n');
    await expect(failing('tasks', 'rm', 'far', ...there)).rejects.toThrow('Task not found: "far"');
    await expect(failing('tasks', 'export', 'far', '/tmp/x', ...there)).rejects.toThrow(UsageError);
  } finally {
    await served.stop();
  }
});

test('store check, backup, restore and migrate', async () => {
  const file = join(stateDir, 'all.jsonl');
  const [second, third] = ['second', 'third'].map((name) => `sqlite:${join(stateDir, `${name}.db`)}`);
  expect(await run('store', 'check')).toBe('2 tasks with 1 event: no problems.\n');
  expect(await run('store', 'backup', file)).toBe(`2 tasks with 1 event written to ${file}.\n`);
  expect(await run('store', 'restore', file, '--store', second ?? '')).toBe(
    '2 tasks with 1 event restored, 0 were there already.\n',
  );
  expect(await run('store', 'migrate', second ?? '', third ?? '')).toMatch(
    /^2 tasks with 1 event copied from sqlite:.*, 0 were there already\.\n$/,
  );
  expect(await run('store', 'check', '--store', third ?? '')).toBe('2 tasks with 1 event: no problems.\n');
  await expect(failing('store', 'check', '--store', 'memory:')).rejects.toThrow('exists only inside a running server');
  await expect(failing('store', 'migrate', 'sqlite:')).rejects.toThrow(UsageError);
});
