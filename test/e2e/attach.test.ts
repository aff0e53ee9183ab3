import { existsSync, readFileSync } from 'node:fs';
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
  'touch four': shell('touch four.txt'),
  'write a poem': [call('write_file', { file_path: 'poem.txt', content: 'roses are blue\n' })],
  'show me markdown': [say('# Title\n\nThis is **bold** and `code`:\n\n```js\nconst one = 1;\n```\n\n- a point')],
});

let live: Live;
const attached: Screen[] = [];

/** A second terminal in the same workspace: the session is found without an address. */
type Options = { cols?: number; env?: Record<string, string>; args?: string[] };

async function attach(options: Options = {}): Promise<Screen> {
  const { env = {}, args = ['--none'], ...size } = options;
  const screen = new Screen(process.execPath, [mainScript, 'attach', '--as', 'laptop', ...args], {
    cwd: live.workspace,
    env: { COSESSION_STATE_DIR: live.stateDir, EDITOR: "sed -i 's/blue/red/'", ...env },
    ...size,
  });
  attached.push(screen);
  await screen.waitFor(/Ctrl-C\s+detaches/);
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
  await laptop.waitFor(' or 1-');
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
  await laptop.waitFor(' or 1-');
  await live.screen.waitFor('Allow once');
  // Half an answer is typed already: it must not become the answer to something else.
  laptop.type('3');
  await laptop.waitFor(/or 1-\d> 3/);
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

test('what is pasted is one prompt, and a backslash, Ctrl-J or Alt-Enter goes on in the next line', async () => {
  const laptop = await attach();
  laptop.type('\u001b[200~pasted one\r\n  pasted two\nthe end\u001b[201~');
  await laptop.waitFor('> pasted one⏎  pasted two⏎the end');
  await laptop.press('enter');
  await live.screen.waitFor(/\[A2A\] pasted one *\n +pasted two *\n +the end · laptop/);
  await laptop.waitFor('— completed');

  laptop.type('first\\\r');
  await laptop.waitFor(/\n…/);
  laptop.type('second\nthird\u001b\rfourth');
  await laptop.waitFor('… second⏎third⏎fourth');
  await laptop.press('enter');
  await live.screen.waitFor(/\[A2A\] first *\n +second *\n +third *\n +fourth · laptop/);
});

test('a proposed file is changed in an editor, under the number that the terminal has for it', async () => {
  const laptop = await attach();
  await laptop.submit('write a poem');
  await laptop.waitFor(/│ @@ -0,0 \+1,1 @@\n│ \+roses are blue\n/);
  const number = (screen: Screen, name: RegExp): string | undefined => name.exec(screen.all)?.[1];
  await live.screen.waitFor(/Modify with external editor[^]*No, suggest changes/);
  await laptop.waitFor(/\[n\]\n[^\n]*> ?$/);
  expect(number(laptop, /(\d)\) Change it in your editor/)).toBe(number(live.screen, /(\d)\. Modify with external/));
  expect(number(laptop, /(\d)\) No, suggest changes/)).toBe(number(live.screen, /(\d)\. No, suggest changes/));
  await laptop.submit('e');
  await laptop.waitFor('✓ write_file');
  await live.screen.waitFor('allowed once by laptop');
  expect(readFileSync(join(live.workspace, 'poem.txt'), 'utf8')).toBe('roses are red\n');
});

test('words instead of an answer are a no and the next prompt; Esc is a no; neither is in the history of lines', async () => {
  const laptop = await attach();
  await laptop.submit('touch four');
  await laptop.waitFor(' or 1-');
  await laptop.submit('make a list instead');
  await laptop.waitFor('answered "No, suggest changes (esc)" by @laptop');
  await laptop.waitFor('You said: make a list instead');
  await live.screen.waitFor('denied by laptop');

  await laptop.submit('touch four');
  await until(() => laptop.all.match(/ or 1-\d>/g)?.length === 2);
  await laptop.press('esc');
  await until(() => laptop.all.match(/answered "No, suggest/g)?.length === 2);
  await until(() => /\n> ?$/.test(laptop.text));
  await laptop.press('up');
  await until(() => laptop.text.endsWith('\n> touch four'));
  expect(existsSync(join(live.workspace, 'four.txt'))).toBe(false);
});

test('Tab completes commands and files; Ctrl-G, and Ctrl-X Ctrl-E, take the line to the editor', async () => {
  const laptop = await attach();
  await laptop.press('/mem', 'tab');
  await laptop.waitFor('> /memory');
  await laptop.press('sho', 'tab', 'enter');
  await laptop.waitFor('Memory is currently empty');
  await laptop.waitFor('— completed');
  await laptop.press('blue is in @poe', 'tab');
  await laptop.waitFor('> blue is in @poem.txt');
  await laptop.press('\u0007');
  await laptop.waitFor('> red is in @poem.txt');
  laptop.type(', not blue');
  await laptop.waitFor('> red is in @poem.txt, not blue');
  laptop.type('\u0018\u0005');
  await laptop.waitFor('> red is in @poem.txt, not red');
});

test('a reply is drawn for the terminal: headings, emphasis, code and lists, in 40 columns too', async () => {
  const laptop = await attach({ cols: 40 });
  await laptop.submit('show me markdown');
  await laptop.waitFor('• a point');
  const runs = laptop.styled().flat();
  expect(runs).toContainEqual(expect.objectContaining({ text: 'Title', bold: true }));
  expect(runs).toContainEqual(expect.objectContaining({ text: 'bold', bold: true }));
  expect(laptop.all).toContain('    const one = 1;');
  expect(laptop.all).not.toMatch(/\*\*|```|# Title/);

  const plain = await attach({ env: { NO_COLOR: '1' } });
  await plain.submit('show me markdown');
  await plain.waitFor('  This is bold and `code`:');
  expect(
    plain
      .styled()
      .flat()
      .filter(({ color, bold }) => color !== undefined || bold),
  ).toEqual([]);
});

test('attach and watch begin with what was said before, folded; --all shows it whole', async () => {
  const laptop = await attach();
  const long = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
  laptop.type(`\u001b[200~${long}\u001b[201~`);
  await laptop.press('enter');
  await laptop.waitFor('— completed');

  const later = await attach({ args: [] });
  await later.waitFor(/· the last turns[^]*@laptop> line 1\n +line 2\n[^]*… 12 more lines\n +You said: line 1\n/);
  await later.waitFor(/· completed · /);
  expect(later.all).not.toContain('line 19');
  const whole = await attach({ args: ['--all'] });
  await whole.waitFor(
    /· the conversation so far[^]*line 19\n +line 20\n +You said: line 1\n[^]*line 20\n· completed · /,
  );
});
