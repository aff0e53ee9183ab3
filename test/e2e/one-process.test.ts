import { expect, test } from 'vitest';
import { nextEntry, promptAndQuit, readyPrompt, startLive } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';

const env = { GEMINI_CLI_NO_RELAUNCH: 'true' };

test('a user who wants no second process gets none', async () => {
  const live = await startLive({ script: scriptOf({}), env });
  try {
    const { screen } = live;
    await screen.waitFor(readyPrompt);
    const { pid } = await live.entry();
    expect(pid).toBe(screen.pid);
    expect(await promptAndQuit(live)).toBe(0);
  } finally {
    await live.stop();
  }
});

test('without a second process, a CLI that asks to be restarted is restarted in place, or ends where Node cannot do that', async () => {
  const asks = `process.on('SIGUSR2', () => process.exit(199))`;
  const nodeOptions = `--import data:text/javascript,${encodeURIComponent(asks)}`;
  const live = await startLive({ script: scriptOf({}), env: { ...env, NODE_OPTIONS: nodeOptions } });
  try {
    const { screen } = live;
    await screen.waitFor(readyPrompt);
    const first = await live.entry();
    process.kill(first.pid, 'SIGUSR2');
    if ('execve' in process) {
      expect((await nextEntry(live, first)).pid).toBe(first.pid);
    } else {
      await screen.waitFor('cosession: the Gemini CLI wants to be started again');
      expect(await screen.waitForExit()).toBe(199);
    }
  } finally {
    await live.stop();
  }
});
