import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/client/node.js';
import { startBrowser } from '../support/browser.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { faultsOf } from './faults.js';
import { visit, type Visit, type Visitor } from '../support/page.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, spawnServe } from '../support/spawn-serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The list of `cosession serve` in a real browser. One server and one list for all checks. */
const folder = temporaryFolder();
const workspace = join(folder, 'workspace');
let model: ModelServer;
let served: ServeProcess;
let browser: Browser;
let page: Page;
const visitors: Visitor[] = [];
let kill = (): void => {};

const looks = (['phone', 'desk'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme })),
);

const shell = (command: string) => ({ functionCall: { name: 'run_shell_command', args: { command } } });
const script = scriptOf({
  'small one': [{ text: 'I will make a file.' }, shell('echo one &&\ntouch small.txt')],
  'small two': [shell('touch two.txt')],
  'small three': [shell('touch three.txt')],
  'long one': [shell('a && b && c && d && e')],
  'change it': [{ functionCall: { name: 'write_file', args: { file_path: 'new.txt', content: 'new' } } }],
});

beforeAll(async () => {
  model = await startModelServer(script);
  served = await spawnServe({ folder, modelUrl: model.url }, (child) => (kill = () => child.kill('SIGKILL')));
  browser = await startBrowser();
  for (const words of ['change it', 'long one', 'small one', 'hello']) await ask(words);
  page = await open({ size: 'desk' });
});
afterAll(async () => {
  await browser.close();
  kill();
  await model.close();
});

/** Starts a session with a prompt, as another client would. */
async function ask(words: string): Promise<string> {
  const taskId = words.replaceAll(' ', '-');
  await served.post('tasks', { contextId: taskId });
  const session = await connect({ url: served.url, taskId, client: 'other' });
  const { done } = await session.prompt(words);
  await until(() => session.pending.length > 0 || session.state === 'completed');
  session.close();
  done.catch(() => {});
  return taskId;
}

async function open(options: Visit = {}): Promise<Page> {
  const visitor = await visit(browser, served.url, options);
  visitors.push(visitor);
  await visitor.page.waitForSelector('.srow');
  return visitor.page;
}

const titles = (group: string, of = page): Promise<string[]> => of.locator(`.${group} .title`).allInnerTexts();
const row = (words: string, of = page) => of.locator(`[data-task="${words.replaceAll(' ', '-')}"]`);

test('sessions are grouped by what they need, newest first, with what they ask', async () => {
  await until(async () => (await titles('needs')).length === 3);
  expect(await titles('needs')).toEqual(['small one', 'long one', 'change it']);
  expect(await titles('rests')).toEqual(['hello']);
  expect(await row('hello').locator('.last').innerText()).toBe('You said: hello');
  expect(await row('small one').locator('.cmd').innerText()).toBe('echo one &&\ntouch small.txt');
  expect(await row('long one').locator('button').allInnerTexts()).toContain('Review the command');
  expect(await row('change it').locator('.in-place').innerText()).toMatch(
    /Wants to change .*new\.txt\n+Review the change/,
  );
});

test.each(looks)('on a $size, $theme, it has no barrier, no sideways scrolling and no small target', async (look) => {
  const list = await open(look);
  // The page's own policy lets no other script in.
  await list.addInitScript(axe.source);
  await list.reload();
  await list.locator('[data-answer=a]:enabled').first().waitFor();
  expect(await faultsOf(list)).toEqual([]);
  await list.getByText('New session').click();
  await list.waitForSelector('dialog .field');
  expect(await faultsOf(list)).toEqual([]);
  await list.context().close();
});

test('find looks at titles, last words and folders', async () => {
  await page.fill('[type=search]', 'SAID hello');
  await until(async () => (await titles('needs')).length === 0);
  expect(await titles('rests')).toEqual(['hello']);
  await page.fill('[type=search]', 'nothing like it');
  await page.waitForSelector('.list-nothing');
  await page.fill('[type=search]', '');
});

test('a small question is answered in place, and every list shows it without being loaded again', async () => {
  const phone = await open({ theme: 'dark' });
  await row('small one').getByText('Run once').click();
  await until(() => existsSync(join(workspace, 'small.txt')));
  for (const list of [page, phone]) {
    await until(async () => (await titles('rests', list)).includes('small one'));
    expect(await row('small one', list).locator('.last').innerText()).toBe('All done.');
  }
  await phone.context().close();
});

test('the keyboard is enough: j, k, a, d and Enter', async () => {
  await ask('small two');
  await row('small two').locator('[data-answer=d]:enabled').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('d');
  await until(async () => (await titles('rests')).includes('small two'));
  expect(existsSync(join(workspace, 'two.txt'))).toBe(false);
  await ask('small three');
  await row('small three').locator('[data-answer=a]:enabled').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await until(() => existsSync(join(workspace, 'three.txt')));
  await until(async () => (await titles('rests')).includes('small three'));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?task=/);
  await page.goBack();
  await page.waitForSelector('.srow');
});

test('whoever may only watch is offered nothing else', async () => {
  const watcher = await open({ size: 'desk', role: 'watch' });
  expect(await watcher.getByText('New session').count()).toBe(0);
  expect(await row('long one', watcher).locator('button').allInnerTexts()).toContain('Look');
  await watcher.context().close();
});

test('a new session is opened in the folder that was asked for, and a refusal says why', async () => {
  await page.getByText('New session').click();
  await page.fill('dialog .field', '/nowhere/at/all');
  await page.getByText('Start').click();
  await page.waitForSelector('dialog .problem');
  await page.fill('dialog .field', workspace);
  await page.getByText('Start').click();
  await page.waitForURL(/\?task=/);
  await page.goBack();
  await page.waitForSelector('.srow');
});

test('deleted sessions disappear, and the page had no other problems', async () => {
  await fetch(`${served.base}/tasks/hello`, { method: 'DELETE' });
  await until(async () => !(await titles('rests')).includes('hello'));
  // The browser itself reports the refusal of the folder.
  const problems = visitors.flatMap((visitor) => visitor.problems);
  expect(problems.filter((problem) => !/status of 40[03]/.test(problem))).toEqual([]);
});
