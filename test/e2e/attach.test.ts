import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { type Live, mainScript, readyPrompt, startLive } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';
import { until } from '../support/until.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];
const script = scriptOf({
  'touch one': shell('touch one.txt'),
  'touch two': shell('touch two.txt'),
  'touch three': shell('touch three.txt'),
});

let live: Live;
const attached: Screen[] = [];

/** A second terminal in the same workspace: the session is found without an address. */
async function attach(): Promise<Screen> {
  const screen = new Screen(process.execPath, [mainScript, 'attach', '--as', 'laptop'], {
    cwd: live.workspace,
    env: { COSESSION_STATE_DIR: live.stateDir },
  });
  attached.push(screen);
  await screen.waitFor('Ctrl-C detaches');
  return screen;
}

beforeAll(async () => {
  live = await startLive({ script });
  await live.screen.waitFor(readyPrompt);
  await live.entry();
});
afterEach(async () => {
  for (const screen of attached.splice(0)) await screen.stop();
});
afterAll(() => live.stop());

test('attach shows what is typed in the terminal, and a prompt from it is shown there', async () => {
  const laptop = await attach();
  await live.screen.submit('typed in the terminal');
  await laptop.waitFor('terminal> typed in the terminal');
  await laptop.waitFor('  You said: typed in the terminal');
  await laptop.waitFor('— completed');

  await laptop.submit('hello from the laptop');
  await live.screen.waitFor('[A2A] hello from the laptop · laptop');
  await laptop.waitFor('  You said: hello from the laptop');
  // What was typed stands there once; its event is not shown again.
  expect(laptop.all).not.toContain('@laptop> hello from the laptop');
  await live.screen.waitFor('You said: hello from the laptop');
});

test('a permission is answered from attach by its number, and the dialog in the terminal closes', async () => {
  const laptop = await attach();
  await laptop.submit('touch one');
  await laptop.waitFor('answer 1-');
  expect(laptop.all).toMatch(/\? run_shell_command wants to run\n│ touch one\.txt\n {2}1\) Allow once/);
  await live.screen.waitFor('Allow once');
  await laptop.submit('1');
  await laptop.waitFor('answered "Allow once" by @laptop');
  await laptop.waitFor('✓ run_shell_command');
  await live.screen.waitUntilGone('Allow once');
  await live.screen.waitFor('allowed once by laptop');
  await laptop.waitFor('— completed');
  expect(existsSync(join(live.workspace, 'one.txt'))).toBe(true);
});

test('when the terminal answers first, the question closes with who it was and the prompt is back', async () => {
  const laptop = await attach();
  await laptop.submit('touch two');
  await laptop.waitFor('answer 1-');
  await live.screen.waitFor('Allow once');
  // Half an answer is typed already: it must not become the answer to something else.
  laptop.type('3');
  await laptop.waitFor(/answer 1-\d> 3/);
  await live.screen.press('enter');
  await laptop.waitFor('answered "Allow once" by terminal');
  await until(() => /\n> $|\n>$/.test(laptop.text));
  await laptop.waitFor('— completed');
  expect(existsSync(join(live.workspace, 'two.txt'))).toBe(true);
});

test('a late attach sees the open question; Ctrl-C detaches, and the question stays for others', async () => {
  await live.screen.submit('touch three');
  await live.screen.waitFor('touch three.txt');
  const laptop = await attach();
  await laptop.waitFor('│ touch three.txt');
  await laptop.press('ctrl-c');
  expect(await laptop.waitForExit()).toBe(0);
  expect(laptop.all).toContain('detached; the session continues');
  const approve = new Screen(process.execPath, [mainScript, 'approve', await live.url()], {
    env: { COSESSION_STATE_DIR: live.stateDir },
  });
  await approve.waitFor('Your answer:');
  await approve.submit('1');
  expect(await approve.waitForExit()).toBe(0);
  await until(() => existsSync(join(live.workspace, 'three.txt')));
});
