import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Live, mainScript, readyPrompt, startLive } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';

let live: Live;
beforeAll(async () => {
  live = await startLive({ script: scriptOf({}) });
  await live.screen.waitFor(readyPrompt);
  await live.entry();
});
afterAll(() => live.stop());

/** Two second terminals of the same user. */
async function second(): Promise<{ watch: Screen; attach: Screen }> {
  const [watch, attach] = ['watch', 'attach'].map(
    (name) =>
      new Screen(process.execPath, [mainScript, name], {
        cwd: live.workspace,
        env: { COSESSION_STATE_DIR: live.stateDir },
      }),
  );
  if (!watch || !attach) throw new Error('unreachable');
  await watch.waitFor('·');
  await attach.waitFor('Ctrl-C');
  return { watch, attach };
}

test('who watches is told that sharing was switched off, /a2a on takes the old port, and /quit is told too', async () => {
  const { url } = await live.entry();
  const first = await second();
  await live.screen.submit('/a2a off');
  for (const screen of [first.watch, first.attach]) {
    await screen.waitFor('· sharing was switched off');
    expect(await screen.waitForExit()).toBe(0);
    expect(screen.all).not.toMatch(/trying again|continues/);
  }
  await live.screen.waitFor('The A2A endpoint is off; 2 clients were disconnected.');

  await live.screen.submit('/a2a on');
  await live.screen.waitFor(/endpoint is off;[^]*A2A endpoint on http/);
  expect((await live.entry()).url).toBe(url);

  const later = await second();
  await live.screen.submit('/quit');
  for (const screen of [later.watch, later.attach]) {
    await screen.waitFor('· the session has ended');
    expect(await screen.waitForExit()).toBe(0);
    expect(screen.all).not.toMatch(/trying again|continues/);
  }
  expect(await live.screen.waitForExit()).toBe(0);
});
