import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

const [prompt = '', answer = '', history = '', commands = '', server = ''] = [
  ...readFileSync('docs/client.md', 'utf8').matchAll(/```js\n(.*?)```/gs),
].map((match) => match[1] ?? '');

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

/** Runs an example as it stands in docs/client.md with the built library, only on our port. */
function run(example: string, written = '41243', port = hub.server.port): Promise<string> {
  expect(example).toContain(written);
  const code = example.replace(written, String(port));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '--eval', code], (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

test('the example that prompts', async () => {
  const printed = run(prompt);
  await until(() => hub.engine.started.length === 1);
  expect(hub.engine.started[0]?.origin).toEqual({ surface: 'a2a', client: 'robot' });
  hub.engine.say('a.txt, ');
  hub.engine.say('b.txt');
  hub.engine.end();
  expect(await printed).toBe('piece: a.txt, \npiece: b.txt\ncompleted a.txt, b.txt\n');
});

test('the example that watches and answers', async () => {
  const printed = run(answer);
  await until(() => hub.server.clients === 1);
  hub.engine.report({ type: 'started', text: 'clean', origin: { surface: 'tui' } });
  hub.engine.report({ type: 'tool', call: waitingShell() });
  await until(() => hub.engine.answered.length === 1);
  hub.engine.end();
  expect(await printed).toBe("run_shell_command { execute_details: { command: 'rm -rf build' } }\n");
});

test('the example that shows the history', async () => {
  hub.session.submit({ kind: 'prompt', text: 'list', origin: { surface: 'tui' } });
  hub.engine.say('a.txt, ');
  hub.engine.say('b.txt');
  hub.engine.end();
  const lines = ['USER_MESSAGE list', 'TEXT_CONTENT a.txt, b.txt', 'STATE_CHANGE ', '3 events, the first is 1'];
  expect(await run(history)).toBe(`${lines.join('\n')}\n`);
});

test('the example that runs a slash command', async () => {
  const printed = run(commands);
  await until(() => hub.engine.started.length === 1);
  hub.engine.end();
  expect(await printed).toBe("[ 'stats' ]\ncompleted\n");
});

test('the example that creates a task on a server', async () => {
  const tasks = await serveTasks();
  const printed = await run(server, '41242', tasks.server.port);
  expect([...tasks.tasks.engines.keys()]).toEqual([printed.trim()]);
  await tasks.stop();
});
