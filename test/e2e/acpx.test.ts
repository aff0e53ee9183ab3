import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { mainScript } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';
import { acpxVersion, installed } from '../support/third-party.js';
import { useLive } from '../support/use-live.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];
const session = useLive({
  script: scriptOf({ 'touch won': shell('touch won.txt'), 'touch lost': shell('touch lost.txt') }),
});

let acpx: string;
const screens: Screen[] = [];
beforeAll(() => {
  acpx = installed('acpx', acpxVersion);
});
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.stop();
});

/** acpx in a terminal of its own, with our bridge as its agent. */
function start(...args: string[]): Screen {
  const { stateDir, workspace, folder } = session.live;
  const agent = `${process.execPath} ${mainScript} acp`;
  const screen = new Screen(process.execPath, [acpx, '--agent', agent, ...args], {
    cwd: workspace,
    env: { COSESSION_STATE_DIR: stateDir, HOME: join(folder, 'acpx-home') },
  });
  screens.push(screen);
  return screen;
}

test('acpx prompts through the bridge; the terminal shows the prompt and both show the answer', async () => {
  const screen = start('exec', 'hello from acpx');
  expect(await screen.waitForExit()).toBe(0);
  expect(screen.all).toContain('You said: hello from acpx');
  await session.live.screen.waitFor('[A2A] hello from acpx');
});

test('acpx wins a permission: the dialog in the terminal closes', async () => {
  const screen = start('exec', 'touch won');
  await screen.waitFor(/touch won\.txt/);
  await session.live.screen.waitFor('Allow once');
  await screen.waitFor(/\[y\/N\]|\(y\/N\)|y\/n/i);
  screen.type('y\r');
  await session.live.screen.waitUntilGone('Allow once');
  expect(await screen.waitForExit()).toBe(0);
  expect(existsSync(join(session.live.workspace, 'won.txt'))).toBe(true);
});

test('acpx loses a permission: the terminal answers, acpx goes on by itself', async () => {
  const screen = start('exec', 'touch lost');
  await screen.waitFor(/touch lost\.txt/);
  await session.live.screen.waitFor('Allow once');
  await session.live.screen.press('enter');
  // That is how acpx ends when it was not the one to allow something.
  expect(await screen.waitForExit()).toBe(5);
  expect(screen.all).toContain('All done.');
  expect(existsSync(join(session.live.workspace, 'lost.txt'))).toBe(true);
});
