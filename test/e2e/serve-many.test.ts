import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say, stream } from '../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Does what the prompt says: `env`, `write <path>`, `read <path>`; else it says the prompt back. */
const model = await startModelServer((request) => {
  const ran = lastToolResult(request);
  if (ran) return { chunks: [[say(`The tool said: ${ran.text}`)]] };
  const [word, path = ''] = lastPrompt(request).split(' ');
  if (word === 'env')
    return { chunks: [[call('run_shell_command', { command: 'env > seen.txt', description: 'look' })]] };
  if (word === 'write') return { chunks: [[call('write_file', { file_path: path, content: 'written' })]] };
  if (word === 'read') return { chunks: [[call('read_file', { file_path: path })]] };
  return { chunks: stream(`You said ${lastPrompt(request)}`), pauseMs: 5 };
});
afterAll(() => model.close());

async function turn(served: ServeProcess, contextId: string, text: string): Promise<Record<string, unknown>[]> {
  const userMessage = { kind: 'text-content', text };
  const events = await eventsOf(await served.post('message/stream', { contextId, userMessage }));
  return events.map(({ data }) => data);
}

const textOf = (events: readonly Record<string, unknown>[]): string =>
  events.map(({ kind, text }) => (kind === 'text-content' ? String(text) : '')).join('');

test('100 tasks at once, 8 of them running at a time: each gets its own answer, whole', async () => {
  const args = ['--rate-limit', '0', '--max-running', '8'];
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });
  const ids = Array.from({ length: 100 }, (_, index) => `task-${index}`);
  const answers = await Promise.all(ids.map((id) => turn(served, id, `hello from ${id}`)));
  for (const [index, events] of answers.entries()) {
    expect(textOf(events)).toBe(`You said hello from task-${index}`);
    expect(events.at(-1)).toMatchObject({ kind: 'state-change', state: 'completed', taskId: `task-${index}` });
  }
  const { total } = (await (await fetch(`${served.base}/tasks?state=completed`)).json()) as { total: number };
  expect(total).toBe(100);
});

test('a task sees its workspace only, and no secret of the server', async () => {
  const folder = temporaryFolder();
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'the secret');
  const allowed = ['run_shell_command', 'write_file', 'read_file'].flatMap((name) => ['--allow-tool', name]);
  const env = { COSESSION_SECRET: 'ours', MY_API_TOKEN: 'yours', DATABASE_URL: 'postgres://u:p@h/d' };
  const served = await startServe({ folder, modelUrl: model.url, args: allowed, env });
  symlinkSync(outside, join(folder, 'workspace', 'link'));

  await turn(served, 'one', 'env');
  const seen = readFileSync(join(folder, 'workspace', 'seen.txt'), 'utf8');
  expect(seen).toContain('PATH=');
  for (const name of ['GEMINI_API_KEY', 'COSESSION_', 'MY_API_TOKEN', 'DATABASE_URL']) expect(seen).not.toContain(name);

  for (const path of ['../outside/new.txt', join(outside, 'new.txt'), 'link/new.txt'])
    await turn(served, 'one', `write ${path}`);
  expect(existsSync(join(outside, 'new.txt'))).toBe(false);
  for (const path of ['../outside/secret.txt', join(outside, 'secret.txt'), 'link/secret.txt'])
    expect(textOf(await turn(served, 'one', `read ${path}`))).not.toContain('the secret');

  const refused = await served.post('tasks', { agentSettings: { workspacePath: outside } });
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 'workspace-not-allowed' } }]);
});
