import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainScript } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

test('--a2a-port without a terminal serves the same endpoint on the headless engine', async () => {
  const folder = temporaryFolder();
  const env = { ...process.env, COSESSION_STATE_DIR: temporaryFolder() };
  const argv = [mainScript, '--demo', '--a2a-port', '0', '-m', 'gemini-2.5-flash', '--screen-reader'];
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  try {
    const url = await until(() => /A2A endpoint on (\S+)/.exec(said)?.[1]);
    expect(said).toContain('no terminal here: the headless engine serves the session; ignored: --screen-reader');
    const client = await WireClient.connect(`${url.replace('http', 'ws')}ws`);
    await client.prompt('run a shell command');
    const asked = await client.find((event) => event['confirmation_request'] !== undefined);
    await client.answer(asked['tool_call_id'], 'proceed_once');
    await client.find((event) => event['state'] === 'completed');
    expect(existsSync(join(folder, 'cosession-demo.log'))).toBe(true);
    client.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
