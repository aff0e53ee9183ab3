import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';
import { installed } from '../support/third-party.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

/** https://www.npmjs.com/package/@aaif/goose: goose's terminal, an ACP client that speaks HTTP. */
const version = '0.20.1';

const shell = (command: string) => [say('I will run it. '), call('run_shell_command', { command })];
const session = useLive({
  script: scriptOf({ 'touch one': shell('touch one.txt'), 'touch two': shell('touch two.txt') }),
});

let goose: string;
const screens: Screen[] = [];
beforeAll(() => {
  // Its own agent, 250 MB, is optional.
  goose = installed('@aaif/goose', version, { command: 'goose-tui', flags: ['--omit=optional'] });
});
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.stop();
});

/** In a terminal of its own, straight to `/acp`. */
async function start(...args: string[]): Promise<Screen> {
  const { workspace, folder } = session.live;
  const server = (await session.live.url()).replace(/\/$/, '');
  const screen = new Screen(process.execPath, [goose, '--server', server, ...args], {
    cwd: workspace,
    env: { HOME: join(folder, 'goose-home') },
  });
  screens.push(screen);
  return screen;
}

const made = (name: string): boolean => existsSync(join(session.live.workspace, name));

test('goose-tui --text prompts and wins the permission before the terminal answers', async () => {
  const watcher = await session.connect();
  const screen = await start('--text', 'touch one');
  await screen.waitFor('I will run it. All done.');
  expect(made('one.txt')).toBe(true);
  await session.live.screen.waitFor('[A2A] touch one');
  expect(await watcher.tool('EXECUTING')).toMatchObject({
    metadata: { resolvedBy: { surface: 'acp', client: 'goose-text' } },
  });
  // It stays, although it says that it would end; it has to be stopped.
  expect(screen.exitCode).toBeUndefined();
});

/** Its keys still mean what they meant on the screen before; a person is never so fast as to see that. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 500));

/** Types it when goose is ready for it, and Enter until it has left the input. */
async function send(screen: Screen, text: string): Promise<void> {
  const isTyped = (): boolean => screen.text.includes(`│ ❯ ${text}`);
  await until(() => screen.text.includes('ready'));
  await aMoment();
  screen.type(text);
  await until(isTyped);
  while (isTyped()) {
    await aMoment();
    screen.type('\r');
  }
}

test('goose-tui as it is: what is typed there is a turn in the terminal here', async () => {
  const screen = await start();
  await send(screen, 'hello from goose');
  await screen.waitFor('You said: hello from goose');
  await session.live.screen.waitFor('[A2A] hello from goose');
  await send(screen, 'touch two');
  await screen.waitFor('All done.');
  expect(made('two.txt')).toBe(true);
});
