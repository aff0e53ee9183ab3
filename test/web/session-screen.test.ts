import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { memoryStore } from '../../src/stores/memory.js';
import { resolving, startBrowser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { prompt, tui } from '../support/hub.js';
import { waitingEdit } from '../support/manual-engine.js';
import { holdSockets, threadText, visit, type Visit, type Visitor } from '../support/page.js';
import { browserAt } from '../support/paired.js';
import { serveHub, type ServedHub, token } from '../support/served-hub.js';
import { serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';

let browser: Browser;
let hub: ServedHub;
const visitors: Visitor[] = [];

beforeAll(async () => {
  browser = await startBrowser(resolving('page.test'));
});
afterAll(() => browser.close());
beforeEach(async () => {
  // One test opens it again on its port, which no connection may have taken meanwhile.
  hub = await serveHub({}, { ...wholePage(), port: await freePort() });
});
afterEach(async () => {
  const gone = visitors.splice(0);
  expect(gone.flatMap(({ problems }) => problems)).toEqual([]);
  await Promise.all(gone.map(({ page }) => page.context().close()));
  await hub.stop();
});

async function open(options: Visit = {}) {
  const visitor = await visit(browser, hub.server.url, options);
  visitors.push(visitor);
  return visitor.page;
}

test('everybody sees the same turns, and who joins late sees them too', async () => {
  const [phone, desk] = await Promise.all([open(), open({ name: 'laptop', size: 'desk', theme: 'dark' })]);
  await phone.fill('.composer textarea', 'What is **new**?');
  await phone.click('.send');
  await until(() => hub.engine.started.length === 1);
  hub.engine.report({ type: 'thought', subject: 'Looking', description: 'at the log' });
  for (const piece of ['# News\n\n- one\n', '- two with `code`\n\n| a | b |\n|---|---|\n', '| 1 | 2 |\n\nThe e', 'nd.'])
    hub.engine.say(piece);
  hub.engine.end();
  await phone.getByText('The end.').waitFor();
  await phone.locator('.md table').waitFor();
  await desk.getByText('The end.').waitFor();
  const late = await open({ name: 'tablet', size: 'desk' });
  await late.getByText('The end.').waitFor();
  await late.locator('.md table').waitFor();
  expect(await threadText(late)).toBe(await threadText(desk));
  expect(await phone.locator('.prompt .who').innerText()).toContain('you');
  expect(await desk.locator('.prompt .who').innerText()).toContain('phone');
  expect(await desk.locator('.state').innerText()).toBe('Idle');
});

test('a prompt waits while a turn runs; its author takes it back, a guest cannot take it', async () => {
  const phone = await open({ role: 'work' });
  const guest = await open({ name: 'guest', role: 'work' });
  hub.session.submit(prompt('first', tui));
  await phone.locator('.stop').waitFor();
  await phone.fill('.composer textarea', 'second');
  await phone.click('text=Queue');
  await guest.locator('.queue').getByText('second').waitFor();
  expect(await guest.locator('.queue button').count()).toBe(0);
  await phone.click('.queue button');
  await phone.locator('.queue').waitFor({ state: 'detached' });
  await phone.click('.stop');
  await until(() => hub.engine.cancels === 1);
  hub.engine.end('canceled');
  await phone.getByText('Stopped').waitFor();
  expect(await threadText(guest)).not.toContain('second');
});

test('the desk says who is here, what changed and what it cost', async () => {
  const desk = await open({ name: 'laptop', size: 'desk' });
  const phone = await open();
  const here = desk.locator('.desk section').first();
  await here.getByText('phone').waitFor();
  expect((await here.innerText()).replaceAll(/\s+/g, ' ')).toContain('terminal where it runs');
  hub.session.submit(prompt('write', tui));
  const { approval: _, ...call } = waitingEdit();
  const diff = { fileName: 'a.txt', filePath: '/project/a.txt', newContent: 'new' };
  hub.engine.report(
    { type: 'tool', call: { ...call, status: 'succeeded', output: { kind: 'diff', diff } } },
    { type: 'usage', usage: { totalTokens: 13_500 } },
  );
  await desk.locator('.desk').getByText('project/a.txt').waitFor();
  await desk.locator('.desk dd').getByText('13.5k').first().waitFor();
  await phone.context().close();
  await here.getByText('phone').waitFor({ state: 'detached' });
});

test('a connection that is cut in the middle of a text loses nothing', async () => {
  const phone = await open();
  const sockets = await holdSockets(phone);
  await phone.reload();
  hub.session.submit(prompt('tell me', tui));
  hub.engine.say('before ');
  await phone.getByText('before').waitFor();
  await sockets.cut();
  await phone.getByText('Nothing is lost').waitFor();
  expect(await phone.locator('.state').innerText()).toBe('Reconnecting');
  expect(await phone.locator('.stop').isDisabled()).toBe(true);
  hub.engine.say('meanwhile ');
  await phone.fill('.composer textarea', 'next');
  await phone.click('text=Queue');
  sockets.release();
  hub.engine.say('after.');
  await phone.getByText('before meanwhile after.').waitFor();
  await phone.locator('.queue').getByText('next').waitFor();
});

test.each([
  [1001, 'The server is restarting. It keeps the questions and the queue.'],
  [1013, 'Catching up'],
])('a connection that the server closes with %i says: %s', async (code, words) => {
  const phone = await open();
  const sockets = await holdSockets(phone);
  await phone.reload();
  // A connection that was never open is not lost.
  await phone.locator('.state').getByText('Idle').waitFor();
  await sockets.cut(code);
  await phone.locator('.settled').getByText(words).waitFor();
  sockets.release();
  await phone.locator('.settled').waitFor({ state: 'detached' });
});

test('nothing that a model writes becomes markup, loads anything or leads astray', async () => {
  const phone = await open();
  hub.session.submit(prompt('<img src=x onerror=alert(1)>', tui));
  hub.engine.report({ type: 'thought', subject: '<b>bold</b>', description: '<script>alert(1)</script>' });
  hub.engine.say(
    [
      '<script>alert(1)</script> <img src="https://evil.example/x.png" onerror="alert(1)"> <b>raw</b>',
      '![picture](https://evil.example/y.png) [bad](javascript:alert(1)) [data](data:text/html,hi) [rel](/ui/me)',
      '[good](https://good.example/a) <https://auto.example> [mail](mailto:a@b.example)',
      '| <i>x</i> |\n| --- |\n| <iframe src="https://evil.example"></iframe> |',
      '```html\n<script>alert(2)</script>\n```',
      'The end.',
    ].join('\n\n'),
  );
  hub.engine.end();
  await phone.locator('.md .code').waitFor();
  await phone.getByText('The end.').waitFor();
  const found = await phone.locator('.thread').evaluate((thread) => ({
    forbidden: thread.querySelectorAll('img, script, iframe, object, .md b:not(pre b), [onerror], [style]').length,
    links: Array.from(thread.querySelectorAll('a'), (link) => `${link.getAttribute('href')} ${link.rel}`),
  }));
  const rel = 'noopener noreferrer nofollow';
  expect(found).toEqual({
    forbidden: 0,
    links: [`https://good.example/a ${rel}`, `https://auto.example/ ${rel}`, `mailto:a@b.example ${rel}`],
  });
  expect(await threadText(phone)).toContain('<script>alert(1)</script> <img src="https://evil.example/x.png"');
});

test('older turns come thirty at a time', async () => {
  for (let turn = 1; turn <= 65; turn++) {
    hub.session.submit(prompt(`turn ${turn}.`, tui));
    hub.engine.say('said');
    hub.engine.end();
  }
  const desk = await open({ size: 'desk' });
  await desk.getByText('turn 65.').first().waitFor();
  expect(await desk.locator('.turn').count()).toBe(30);
  await desk.getByRole('button', { name: 'Earlier turns' }).click();
  await desk.locator('.said').getByText('turn 6.', { exact: true }).waitFor();
  await desk.getByRole('button', { name: 'Earlier turns' }).click();
  await desk.getByText('The session began in the terminal').waitFor();
  // The turns are drawn with the next frame.
  await desk.locator('.said').getByText('turn 1.', { exact: true }).waitFor();
  expect(await desk.locator('.turn').count()).toBe(65);
  await desk.fill('.outline input', 'turn 12.');
  expect(await desk.locator('.outline li').count()).toBe(1);
});

test('what the session has forgotten is marked', async () => {
  await hub.stop();
  hub = await serveHub({ store: memoryStore({ keepEvents: 100 }) }, wholePage());
  for (let turn = 1; turn <= 40; turn++) {
    hub.session.submit(prompt(`turn ${turn}.`, tui));
    hub.engine.say('said');
    hub.engine.end();
  }
  const phone = await open();
  await phone.getByText('turn 40.').waitFor();
  await phone.getByRole('button', { name: 'Earlier turns' }).click();
  await phone.getByText(/The session no longer has what came before event \d+\./).waitFor();
});

test('another session at the same address is not shown as this one', async () => {
  const phone = await open();
  const { port } = hub.server;
  await hub.stop();
  hub = await serveHub({ id: 'session-2' }, { ...wholePage(), port });
  await phone.getByText('This session has ended').waitFor();
  // A part of the page that was on its way when the server stopped offers the same.
  expect(await phone.locator('.settled').getByRole('button', { name: 'Reload' }).count()).toBe(1);
  // The browser reports every refused connection.
  visitors.splice(0);
  await phone.context().close();
});

test('a page that is not secure works too: it pairs, says so, prompts, and gives a link without the clipboard', async () => {
  await hub.stop();
  const port = await freePort();
  const publicUrl = `http://page.test:${port}/`;
  hub = await serveHub({}, { ...wholePage(), port, publicUrl });
  const { json } = await browserAt(`http://127.0.0.1:${port}`, {}, { authorization: `Bearer ${token}` }).post(
    '/ui/share',
    {
      role: 'work',
    },
  );
  const page = await (await browser.newContext()).newPage();
  await page.goto(publicUrl);
  await page.getByText(`page.test:${port} · not encrypted`).waitFor();
  await page.fill('.pair-input', String(json['code']));
  await page.fill('.composer textarea', 'hello from the network');
  await page.press('.composer textarea', 'Enter');
  await until(() => hub.engine.started.length === 1);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await page.getByRole('textbox', { name: 'Copy link' }).inputValue()).toMatch(`${publicUrl}#pair=`);
  await page.context().close();
});

test('a task of a server is shown by its address, with a way back to all of them', async () => {
  const served = await serveTasks(wholePage());
  const { taskId } = (await (await served.post('tasks')).json()) as { taskId: string };
  const visitor = await visit(browser, `${served.server.url}?task=${taskId}`);
  visitors.push(visitor);
  await visitor.page.fill('.composer textarea', 'hello');
  await visitor.page.click('.send');
  const engine = await served.started(taskId);
  engine.say('hi there');
  await visitor.page.getByText('hi there').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'All sessions' }).count()).toBe(1);
  await visitor.page.context().close();
  visitors.pop();
  await served.stop();
});

test('the palette finds commands and runs them; refusals are shown', async () => {
  const desk = await open({ size: 'desk' });
  await desk.keyboard.press('Control+k');
  await desk.getByRole('combobox').fill('stats');
  await desk.getByRole('option', { name: '/stats' }).waitFor();
  await desk.keyboard.press('Enter');
  await until(() => hub.engine.started.length === 1);
  hub.engine.end();
  await desk.locator('.composer textarea').pressSequentially('/');
  await desk.getByRole('option', { name: '/stats' }).waitFor();
  await desk.keyboard.press('Escape');
  await desk.locator('.palette').waitFor({ state: 'detached' });
  expect(await desk.locator('.composer textarea').inputValue()).toBe('');
});
