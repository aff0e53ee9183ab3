import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';

const slowCommand = (workspace: string): string => join(workspace, '.gemini', 'commands', 'slow.toml');

/** The CLI has its commands only once it has read this file, and a read of a pipe waits for somebody to write. */
const session = useLive({
  script: scriptOf({}),
  inWorkspace: (workspace) => {
    mkdirSync(join(workspace, '.gemini', 'commands'), { recursive: true });
    execFileSync('mkfifo', [slowCommand(workspace)]);
  },
});

function letCommandsLoad(): void {
  const file = slowCommand(session.live.workspace);
  const text = 'prompt = "say it slowly"\n';
  const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  rmSync(file);
  writeFileSync(file, text);
  writeSync(pipe, text);
  closeSync(pipe);
}

test('a command that comes before the CLI has loaded its commands waits for them, and is judged then', async () => {
  const alice = await session.connect('?client=alice');
  const [about, quit] = [
    alice.call('command/execute', { command_path: ['about'] }),
    alice.call('command/execute', { command_path: ['quit'] }),
  ];
  expect(await quit).toMatchObject({ result: { status: 'STARTED' } });
  letCommandsLoad();
  expect(await about).toMatchObject({ result: { status: 'STARTED' } });
  await alice.find((event) => event['final'] === true && event['state'] === 'completed');
  expect(alice.text).toMatch(/^About Gemini CLI:/);
  await alice.find((event) => event['final'] === true && event['state'] === 'failed');
  expect(JSON.stringify(alice.seen)).toContain('/quit cannot be run from here: it ends the program');
});
