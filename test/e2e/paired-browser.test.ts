import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { call } from '../../src/demo/reply.js';
import { serveSite, startBrowser } from '../support/browser.js';
import { outputOf } from '../support/command.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, spawnServe } from '../support/spawn-serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/**
 * Browsers that the server does not know, from the link to the end of the pairing. One server and one browser for all checks;
 * each test goes on where the one before it stopped. A laptop may work, a watcher may watch, a helper may approve.
 */
const folder = temporaryFolder();
const stateDir = join(folder, 'state');
let model: ModelServer;
let served: ServeProcess;
let browser: Browser;
let kill = (): void => {};
let link = '';
let laptop: Page;
let watcher: Page;
let helper: Page;
const errors: string[] = [];

beforeAll(async () => {
  model = await startModelServer(
    scriptOf({ 'make a file': [call('run_shell_command', { command: 'touch made.txt' })] }),
  );
  const token = await new TokenFolder(stateDir).create({ name: 'owner', scopes: ['admin'] });
  const args = ['--require-token'];
  served = await spawnServe({ folder, modelUrl: model.url, args }, (child) => (kill = () => child.kill('SIGKILL')));
  browser = await startBrowser();
  link = (
    await outputOf('share', [served.url, '--token', token, '--role', 'work', '--print-link'], { stateDir })
  ).trim();
});
afterAll(async () => {
  await browser.close();
  kill();
  await model.close();
  expect(errors).toEqual([]);
});

/** A browser of its own: no other has its cookies or its storage. */
async function open(name: string, url: string, size = { width: 360, height: 780 }): Promise<Page> {
  const localStorage = [{ name: 'cosession.name', value: name }];
  const storageState = { cookies: [], origins: [{ origin: served.base, localStorage }] };
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', storageState });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(url);
  return page;
}

async function prompt(page: Page, text: string): Promise<void> {
  await page.fill('.composer textarea', text);
  await page.press('.composer textarea', 'Enter');
}

/** Opens Share and reads the code for a role, as a person does. */
async function codeOf(page: Page, title: string, role: 'Watch' | 'Approve'): Promise<string> {
  const isWish = (text: string | null): boolean => text?.includes(`"${role.toLowerCase()}"`) ?? false;
  const made = page.waitForResponse((response) => isWish(response.request().postData()));
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  const { code } = (await (await made).json()) as { code: string };
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  await dialog.getByText(shown).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return shown;
}

/** The names of all buttons on the screen, as a screen reader says them. */
async function pressable(page: Page): Promise<string[]> {
  const said = await page.locator('body').ariaSnapshot();
  return Array.from(said.matchAll(/- button "([^"]+)"/g), ([, name = '']) => name);
}

const isUnpaired = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Pair this browser' }).waitFor();
  await page.getByRole('alert').getByText('This pairing has ended.').waitFor();
};

test('a link pairs a browser, and what it prompts is answered', async () => {
  laptop = await open('laptop', link, { width: 1440, height: 900 });
  await laptop.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  expect(laptop.url()).toBe(served.url);
  await laptop.getByRole('button', { name: 'New session' }).click();
  await laptop.getByRole('button', { name: 'Start' }).click();
  await prompt(laptop, 'hello');
  await laptop.locator('.thread').getByText('You said: hello').waitFor();
});

test('a code that was used pairs no other browser, and another can be typed', async () => {
  const stranger = await open('stranger', link);
  await stranger.getByRole('alert').getByText('That code is no longer valid.').waitFor();
  expect(stranger.url()).toBe(served.url);
  await stranger.locator('.pair-input:focus').waitFor({ state: 'attached' });
  const last = await stranger.locator('.slot').last().boundingBox();
  expect((last?.x ?? Infinity) + (last?.width ?? 0)).toBeLessThanOrEqual(340);
  await stranger.context().close();
});

test('a paired browser that opens the used link again goes on as what it is', async () => {
  const tab = await laptop.context().newPage();
  await tab.goto(link);
  await tab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  expect(await tab.getByRole('button', { name: 'New session' }).count()).toBe(1);
  await tab.close();
});

test('a browser that may not run commands is offered none', async () => {
  await laptop.getByRole('textbox', { name: 'Prompt' }).pressSequentially('/');
  expect(await laptop.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('/');
  await laptop.getByRole('textbox', { name: 'Prompt' }).fill('');
  await laptop.keyboard.press('Control+k');
  await laptop.getByRole('option', { name: 'Settings' }).waitFor();
  expect((await laptop.getByRole('option').allInnerTexts()).filter((text) => text.startsWith('/'))).toEqual([]);
  await laptop.keyboard.press('Escape');
});

test('a watcher types a code, sees everything and can change nothing', async () => {
  await laptop.getByRole('button', { name: 'All sessions' }).click();
  const code = await codeOf(laptop, 'Share this server', 'Watch');
  watcher = await open('watcher', served.url);
  await watcher.getByText('No account, no password.').waitFor();
  await watcher.fill('.pair-input', code.toLowerCase());
  await watcher.locator('.srow').waitFor();
  expect(await watcher.getByRole('button', { name: /Share|New session/ }).count()).toBe(0);
  await watcher.locator('.srow').click();
  await watcher.locator('.thread').getByText('You said: hello').waitFor();
  expect(await watcher.locator('.viewonly').innerText()).toContain('You are watching.');

  await laptop.locator('.srow').click();
  await prompt(laptop, 'make a file');
  await watcher.getByText('Somebody is asked').click();
  await watcher.getByText('Somebody who may approve has to answer this.').waitFor();
  expect(await watcher.locator('.sheet').innerText()).toContain('touch made.txt');
  expect(await watcher.locator('.acts, .composer').count()).toBe(0);
  expect(await pressable(watcher)).toEqual(['All sessions', 'Commands', 'Fold the question away']);
  await watcher.getByRole('button', { name: 'Fold the question away' }).click();
  await watcher.getByRole('button', { name: 'Commands' }).click();
  await watcher.getByRole('option', { name: 'Settings' }).waitFor();
  expect(await watcher.getByRole('option').allInnerTexts()).toEqual([
    expect.stringMatching(/^Settings/),
    'All sessions',
    expect.stringMatching(/^Light or dark/),
  ]);
  await watcher.keyboard.press('Escape');
});

test('a helper answers the question, and can neither prompt nor stop the turn', async () => {
  const code = await codeOf(laptop, 'Share this session', 'Approve');
  helper = await open('helper', `${laptop.url()}#pair=${code.replace(' ', '')}`);
  await helper.getByText('Run this command?').waitFor();
  expect(await helper.locator('.viewonly').innerText()).toBe('You may answer questions here.');
  expect(await helper.locator('.composer').count()).toBe(0);
  await helper.getByRole('button', { name: 'More answers' }).click();
  expect(await helper.locator('.pop').innerText()).not.toMatch(/Stop the turn|Deny and say why/);
  await helper.getByRole('button', { name: 'More answers' }).click();
  expect(await pressable(helper)).toEqual([
    'All sessions',
    'Commands',
    'Fold the question away',
    'Run once',
    'Deny',
    'More answers',
  ]);
  await helper.getByRole('button', { name: 'Run once' }).click();
  for (const page of [laptop, watcher, helper]) await page.locator('.thread').getByText('All done.').waitFor();
  expect(existsSync(join(folder, 'workspace', 'made.txt'))).toBe(true);
});

/** What a page gets that has the cookie of this browser and sends this page key. */
async function reach(page: Page, key: string): Promise<{ fetched: number | string; socket: string }> {
  const taskId = new URL(laptop.url()).searchParams.get('task') ?? '';
  return page.evaluate(
    async ([base = '', pageKey = '', id = '']) => {
      const headers = pageKey === '' ? {} : { 'x-cosession-page': pageKey };
      const fetched = await fetch(`${base}/ui/me`, { headers, credentials: 'include' }).then(
        ({ status }) => status,
        () => 'blocked',
      );
      const socket = await new Promise<string>((resolve) => {
        const protocols = ['cosession', ...(pageKey === '' ? [] : [`page.${pageKey}`])];
        const opened = new WebSocket(`${base.replace('http', 'ws')}/ws?taskId=${id}`, protocols);
        opened.addEventListener('open', () => resolve('opened'));
        opened.addEventListener('error', () => resolve('refused'));
      });
      return { fetched, socket };
    },
    [served.base, key, taskId],
  );
}

async function keyOf(page: Page): Promise<string> {
  const { origins } = await page.context().storageState();
  return origins.flatMap((each) => each.localStorage).find(({ name }) => name === 'cosession.page')?.value ?? '';
}

test('the cookie is nothing without the page key, and the page key nothing without the cookie', async () => {
  const key = await keyOf(watcher);
  expect(await reach(watcher, key)).toEqual({ fetched: 200, socket: 'opened' });
  expect(await reach(watcher, '')).toEqual({ fetched: 401, socket: 'refused' });
  const thief = await open('thief', served.url);
  expect(await reach(thief, key)).toEqual({ fetched: 401, socket: 'refused' });
  await thief.context().close();
});

test('a page of another port gets the cookie, and nothing else: no answer, no socket, no frame', async () => {
  const site = await serveSite('<title>evil</title>');
  const evil = await watcher.context().newPage();
  await evil.goto(`http://127.0.0.1:${site.port}/`);
  expect(await evil.context().cookies(evil.url())).toHaveLength(1);
  for (const key of ['', await keyOf(watcher)])
    expect(await reach(evil, key)).toEqual({ fetched: 'blocked', socket: 'refused' });
  const answer = evil.waitForResponse(served.url);
  await evil.setContent(`<iframe src="${served.url}"></iframe>`);
  expect((await answer).status()).toBe(403);
  await evil.close();
  site.close();
});

test('a browser that is ended under Settings is back at Pair, the others stay', async () => {
  await laptop.getByRole('button', { name: 'Commands' }).click();
  await laptop.getByRole('option', { name: 'Settings' }).click();
  await laptop.getByRole('button', { name: 'End the pairing of helper' }).click();
  await isUnpaired(helper);
  await until(async () => (await laptop.locator('.device b').allInnerTexts()).join() === 'laptop,watcher');
  expect(await watcher.locator('.state').innerText()).toBe('Idle');
});

test('a pairing that has expired is back at Pair', async () => {
  await laptop.getByRole('button', { name: 'Done' }).click();
  const code = await codeOf(laptop, 'Share this session', 'Watch');
  const brief = await open('brief', `${laptop.url()}#pair=${code.replace(' ', '')}`);
  await brief.getByText('You are watching.').waitFor();
  const { tokens } = await new TokenFolder(stateDir).list();
  const { name = '' } = tokens.find(({ device }) => device?.label === 'brief') ?? {};
  const file = join(stateDir, 'tokens', `${name}.json`);
  const record = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...record, expiresAt: new Date().toISOString() }));
  await isUnpaired(brief);
  await brief.context().close();
});

test('token revoke ends a browser, and those that it shared with', async () => {
  const { tokens } = await new TokenFolder(stateDir).list();
  const { name = '' } = tokens.find(({ device }) => device?.label === 'laptop') ?? {};
  expect(await outputOf('token', ['revoke', name], { stateDir })).toContain('is revoked');
  await Promise.all([isUnpaired(laptop), isUnpaired(watcher)]);
});
