import { expect, test } from 'vitest';
import { readyPrompt, startLive } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';
import { until } from '../support/until.js';

const env = { GEMINI_CLI_NO_RELAUNCH: 'true' };

test('a user who wants no second process gets none', async () => {
  const live = await startLive({ script: scriptOf({}), env });
  try {
    const { screen } = live;
    await screen.waitFor(readyPrompt);
    const { pid } = await live.entry();
    expect(pid).toBe(screen.pid);
    const client = await live.connect();
    await client.prompt('hello');
    await screen.waitFor('You said: hello');
    await client.state('completed');
    client.close();
    await screen.submit('/quit');
    expect(await screen.waitForExit()).toBe(0);
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
      const second = await until(async () => {
        const entry = await live.entry();
        return entry.token === first.token ? undefined : entry;
      });
      expect(second.pid).toBe(first.pid);
    } else {
      await screen.waitFor('cosession: the Gemini CLI wants to be started again');
      expect(await screen.waitForExit()).toBe(199);
    }
  } finally {
    await live.stop();
  }
});
