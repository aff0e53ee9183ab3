import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, say, stream } from '../../src/demo/reply.js';
import { startBrowser } from '../support/browser.js';
import { mainScript } from '../support/live.js';
import { visit, type Visit, type Visitor } from '../support/page.js';
import { goOn, scriptOf, twoLines } from '../support/scripts.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

const fixture = useLive({
  script: scriptOf({
    'the story': { chunks: stream('Once there was a **terminal** and four browsers. The end.') },
    'a file': [call('write_file', { file_path: 'poem.txt', content: 'one\ntwo\n' })],
    'a plan': [
      call('write_todos', {
        todos: [
          { description: 'Read the poem', status: 'completed' },
          { description: 'Write the second verse', status: 'in_progress' },
        ],
      }),
    ],
    'a command': [say('I will run it.'), call('run_shell_command', { command: twoLines })],
  }),
});

let browser: Browser;
const visitors: Visitor[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  expect(visitors.flatMap(({ problems }) => problems)).toEqual([]);
});

async function open(options: Visit) {
  const visitor = await visit(browser, await fixture.live.url(), options);
  visitors.push(visitor);
  return visitor.page;
}

test('what is typed in the terminal is seen in four browsers', async () => {
  const { screen } = fixture.live;
  const pages = await Promise.all([
    open({ name: 'phone' }),
    open({ name: 'tablet', theme: 'dark' }),
    open({ name: 'laptop', size: 'desk' }),
    open({ name: 'wall', size: 'desk', theme: 'dark' }),
  ]);
  await screen.submit('tell me the story');
  for (const page of pages) await page.getByText('four browsers. The end.').waitFor();
  for (const page of pages) expect(await page.locator('.md strong').innerText()).toBe('terminal');
  await Promise.all(pages.slice(1).map((page) => page.context().close()));
});

test('a proposed file is edited in the browser, and the edit is what is written', async () => {
  const { screen, workspace } = fixture.live;
  const desk = await open({ name: 'laptop', size: 'desk' });
  await desk.fill('.composer textarea', 'write a file');
  await desk.press('.composer textarea', 'Enter');
  await desk.getByText('Create this file?').waitFor();
  await screen.waitFor('Apply this change?');
  await desk.getByRole('button', { name: 'Edit' }).click();
  await desk.fill('.ed textarea', 'one\ntwo and a half\n');
  await desk.getByRole('button', { name: 'Allow with my edit' }).click();
  await desk.getByText('All done.').waitFor();
  expect(readFileSync(join(workspace, 'poem.txt'), 'utf8')).toBe('one\ntwo and a half\n');
  await screen.waitUntilGone('Apply this change?');
  await desk.context().close();
});

test('a command is allowed in the terminal: the page says who did it, shows its output while it runs, and queues a prompt', async () => {
  const { screen, workspace } = fixture.live;
  const phone = await open({ name: 'phone' });
  await phone.fill('.composer textarea', 'run a command');
  await phone.click('.send');
  await phone.getByText('Run this command?').waitFor();
  await screen.waitFor('Allow once');
  await screen.press('enter');
  await phone.locator('.settled').getByText('Nothing was sent from here.').waitFor();
  expect(await phone.locator('.settled strong').innerText()).toContain('terminal');
  await phone.locator('.out').getByText('line 1').waitFor();
  expect(existsSync(join(workspace, 'go.txt'))).toBe(false);
  await phone.fill('.composer textarea', 'and then this');
  await phone.click('.send');
  await phone.locator('.queue').getByText('and then this').waitFor();
  goOn(workspace);
  await phone.locator('.out').getByText('line 2').waitFor();
  await phone.locator('.thread').getByText('You said: and then this').waitFor();
  await screen.waitFor('You said: and then this');
  await until(async () => (await phone.locator('.state').innerText()) === 'Idle');
  await phone.context().close();
});

test('a plan is shown whole before it is allowed, and then above the input', async () => {
  const phone = await open({ name: 'phone' });
  await phone.fill('.composer textarea', 'make a plan');
  await phone.click('.send');
  await phone.locator('.sheet .steps').getByText('Write the second verse').waitFor();
  await phone.getByRole('button', { name: 'Allow once' }).click();
  const plan = phone.getByRole('region', { name: 'Plan' });
  await plan.getByText('Plan: 1 of 2').click();
  expect(await plan.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Read the poem'),
    expect.stringContaining('Write the second verse'),
  ]);
  await until(async () => (await phone.locator('.state').innerText()) === 'Idle');
  await phone.context().close();
});

test('a file is named with @, and the agent gets what is in it', async () => {
  const { model } = fixture.live;
  const desk = await open({ name: 'laptop', size: 'desk' });
  const prompt = desk.getByRole('textbox', { name: 'Prompt' });
  await prompt.pressSequentially('look at @POE');
  await desk.getByRole('option', { name: 'poem.txt', selected: true }).waitFor();
  await desk.keyboard.press('Enter');
  await until(async () => (await prompt.inputValue()) === 'look at @poem.txt ');
  await desk.keyboard.press('Enter');
  await desk.locator('.thread').getByText('look at @poem.txt', { exact: true }).waitFor();
  await until(() => model.requests.some((request) => JSON.stringify(request).includes('two and a half')));
  await until(async () => (await desk.locator('.state').innerText()) === 'Idle');
  await desk.context().close();
});

test('the owner sees who did what', async () => {
  const desk = await open({ name: 'tablet', size: 'desk' });
  await desk.keyboard.press('Control+k');
  await desk.getByRole('option', { name: 'Activity' }).click();
  const lines = desk.locator('.activity li');
  await lines.getByText('allowed once: poem.txt').waitFor();
  await lines.getByText('prompted, 12 characters').waitFor();
  await lines.getByText('connected').first().waitFor();
  await desk.getByRole('combobox').selectOption('laptop');
  await until(async () => (await lines.locator('b').allInnerTexts()).every((name) => name === 'laptop'));
});

/** A command of the built program, where the session runs. */
async function cosession(...args: readonly string[]): Promise<string> {
  const { workspace, stateDir } = fixture.live;
  const env = { ...process.env, COSESSION_STATE_DIR: stateDir };
  return (await promisify(execFile)(process.execPath, [mainScript, ...args], { cwd: workspace, env })).stdout;
}

test('/a2a qr pairs a browser; the terminal says who joined, lists it and ends it', async () => {
  const { screen } = fixture.live;
  const url = await fixture.live.url();
  await screen.submit('/a2a qr watch');
  const [, code = ''] = await until(() => /([A-Z2-9]{4} [A-Z2-9]{4}) {3}http/.exec(screen.text));
  await screen.waitFor('may see everything and change nothing');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}#pair=${code.replace(' ', '')}`);
  await page.getByText('You are watching.').waitFor();
  await screen.waitFor('browser joined, may watch');
  expect(await page.locator('.composer, .stop').count()).toBe(0);

  await screen.submit('/a2a devices');
  const [, name = ''] = await until(() => /^\W*(browser-\S+) +browser +watch /m.exec(screen.text));
  await screen.submit(`/a2a devices end ${name}`);
  await screen.waitFor(`The pairing of ${name} has ended.`);
  await page.getByRole('alert').getByText('This pairing has ended.').waitFor();
  await context.close();
});

test('cosession share gives a link, which pairs one browser with the role it names', async () => {
  const { screen } = fixture.live;
  expect(await cosession('share', '--role', 'approve', '--expires', '30m')).toMatch(
    /[A-Z2-9]{4} [A-Z2-9]{4} {3}http.*\nWorks once, until .* may see everything and answer questions until/,
  );
  const link = (await cosession('share', '--role', 'work', '--print-link')).trim();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await screen.waitFor('browser joined, may work');
  await page.fill('.composer textarea', 'hello from afar');
  await page.press('.composer textarea', 'Enter');
  await screen.waitFor('You said: hello from afar');
  await context.close();
});
