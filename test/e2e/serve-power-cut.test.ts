import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(
  scriptOf({ file: [call('run_shell_command', { command: 'touch made.txt', description: 'make a file' })] }),
);
afterAll(() => model.close());

const contextId = 'task';
/** Each wait for the disk takes so long that a server which does not wait is killed before it is over. */
const slowDisk = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/copied-disk.js')).href}` };

test.each([
  ['in one process', []],
  ['with --isolate', ['--isolate']],
])('%s, a question that a client has seen is still there after a power cut', async (_name, args) => {
  const [folder, disk] = [temporaryFolder(), temporaryFolder()];
  const env = { ...slowDisk, COPIED_DISK: disk, COPIED_DISK_MS: '200' };
  const before = await startServe({ folder, modelUrl: model.url, args, env });
  const stream = await before.post('message/stream', { contextId, userMessage: prompt('make a file') });
  let shown = '';
  for await (const piece of stream.body ?? []) {
    shown += Buffer.from(piece).toString();
    if (!shown.includes('"tool-call-confirmation"')) continue;
    before.kill('SIGKILL');
    break;
  }
  await before.exit;
  const [, toolCallId] = /"toolCallId":"([^"]+)"/.exec(shown) ?? [];

  const after = await startServe({ folder: leftBy(folder, disk), modelUrl: model.url, args });
  const state = async (): Promise<string | undefined> => {
    const task = await fetch(`${after.base}/tasks/${contextId}`);
    return /"(input-required|failed)"/.exec(await task.text())?.[1];
  };
  expect(await until(state)).toBe('input-required');
  const answer = { kind: 'tool-call-confirmation', toolCallId, approved: true };
  const answered = await eventsOf(await after.post('message/stream', { contextId, userMessage: answer }));
  expect(answered.at(-1)?.data).toMatchObject({ kind: 'state-change', state: 'completed' });
  after.kill('SIGTERM');
  expect(await after.exit).toBe(0);
});

function prompt(text: string): object {
  return { kind: 'text-content', text };
}

/** What of a server's folder is left of it: its store, as far as it was on the disk. */
function leftBy(folder: string, disk: string): string {
  const left = temporaryFolder();
  const state = join(left, 'state');
  mkdirSync(state);
  // SQLite has moved nothing into the file itself yet: it does so after 500 commits.
  for (const name of ['tasks.db', 'servers'])
    cpSync(join(folder, 'state', name), join(state, name), { recursive: true });
  const log = join(disk, 'state', 'tasks.db-wal');
  if (existsSync(log)) cpSync(log, join(state, 'tasks.db-wal'));
  cpSync(join(disk, 'tasks.db-journals'), join(state, 'tasks.db-journals'), { recursive: true });
  expect(readdirSync(join(state, 'tasks.db-journals'))).not.toEqual([]);
  return left;
}
