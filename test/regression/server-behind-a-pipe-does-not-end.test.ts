import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a server whose log nobody reads any more goes on, and ends when told', async () => {
  const folder = temporaryFolder();
  // A pipe of the shell: to a socket, which Node would give its child, writing fails in another way.
  const pipeline = '(echo $BASHPID; exec "$0" "$@") | head -n 2';
  const serve = [process.execPath, resolve('dist/main.js'), 'serve', '--demo', '--port', '0'];
  const shell = spawn('bash', ['-o', 'pipefail', '-c', pipeline, ...serve], {
    cwd: folder,
    env: { ...process.env, COSESSION_STATE_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(shell, 'exit');
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  onTestFinished(() => void spawn('kill', ['-9', String(pid)], { stdio: 'ignore' }));
  const { url } = JSON.parse(String((await lines.next()).value)) as { url: string };
  expect((await fetch(`${url}health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  expect(await exit).toEqual([0, null]);
});
