import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WaitingCall } from '../../src/domain/tool-call.js';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { holdSockets, visit, type Visit, type Visitor } from '../support/page.js';
import { browserAt } from '../support/paired.js';
import { serveHub, type ServedHub, token } from '../support/served-hub.js';
import { serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';

/** What can go wrong around a question or a connection, in a real browser. One server for all. */
let browser: Browser;
let hub: ServedHub;
let visitors: Visitor[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  hub = await serveHub({ workspace: '/home/ada/shop' }, wholePage());
  hub.session.submit(prompt('go', tui));
});
afterEach(async () => {
  const gone = visitors;
  visitors = [];
  expect(gone.flatMap(({ problems }) => problems)).toEqual([]);
  await Promise.all(gone.map(({ page }) => page.context().close()));
  await hub.stop();
});

async function open(options: Visit = {}): Promise<Page> {
  const visitor = await visit(browser, hub.server.url, options);
  visitors.push(visitor);
  return visitor.page;
}

/** The browser reports refused requests of this kind, which a test causes on purpose. */
function excuse(page: Page, kind: RegExp): void {
  visitors = visitors.map((visitor) =>
    visitor.page === page ? { page, problems: visitor.problems.filter((problem) => !kind.test(problem)) } : visitor,
  );
}

const ask = (...calls: readonly WaitingCall[]): void =>
  hub.engine.report(...calls.map((call) => ({ type: 'tool', call }) as const));
const isReady = (page: Page): Promise<void> => page.locator('.sheet .primary:enabled').waitFor();
const press = (page: Page, name: string): Promise<void> =>
  page.locator('.sheet').getByRole('button', { name, exact: true }).click();

function edit(id: string, filePath: string, newContent: string, isReadOnly = false): WaitingCall {
  const diff = { fileName: 'x', filePath, oldContent: 'old\n', newContent };
  const { approval, ...call } = waitingEdit(id);
  return { ...call, approval: { ...approval, details: { kind: 'edit', diff, ...(isReadOnly ? { isReadOnly } : {}) } } };
}

test('Ctrl+Enter answers no question from a dialog over it, nor when it is held down', async () => {
  const desk = await open({ size: 'desk' });
  ask(waitingShell('one'));
  await isReady(desk);
  await desk.keyboard.press('Control+k');
  await desk.getByRole('combobox').fill('nothing of this name');
  await desk.keyboard.press('Control+Enter');
  await desk.keyboard.press('Escape');
  await desk.locator('.palette').waitFor({ state: 'detached' });
  expect(hub.engine.answered).toEqual([]);
  await desk.keyboard.down('Control');
  await desk.keyboard.down('Enter');
  await until(() => hub.engine.answered.length === 1);
  ask(waitingShell('two'));
  await isReady(desk);
  // The key is still down, so the browser repeats it.
  await desk.keyboard.down('Enter');
  await desk.keyboard.up('Enter');
  await desk.keyboard.down('Enter');
  await until(() => hub.engine.answered.length === 2);
  expect(hub.engine.answered.map(({ callId }) => callId)).toEqual(['one', 'two']);
  await desk.keyboard.up('Control');
});

test('a change that the agent cannot write in another version has no Edit', async () => {
  const phone = await open();
  ask(edit('sealed', '/home/ada/shop/a.ts', 'new\n', true));
  await isReady(phone);
  expect(await phone.locator('.acts > button').allInnerTexts()).toEqual(['Apply', 'Deny']);
});

test('what is typed for one question stays when another is looked at or answered', async () => {
  const phone = await open();
  ask(waitingShell('one'), edit('two', '/home/ada/shop/a.ts', 'new\n'), waitingShell('three'));
  await phone.getByText('3 need you').waitFor();
  await press(phone, 'Next question');
  await press(phone, 'Edit');
  await phone.fill('.ed textarea', 'mine\n');
  hub.session.answer('one', { optionId: 'cancel' }, tui);
  await phone.locator('.pager').getByText('1/2').waitFor();
  await press(phone, 'Next question');
  await phone.locator('.sheet .cmd').waitFor();
  await press(phone, 'Previous question');
  expect(await phone.locator('.ed textarea').inputValue()).toBe('mine\n');
  await press(phone, 'Allow with my edit');
  await until(() => hub.engine.answered.length === 2);
  expect(hub.engine.answered[1]).toMatchObject({ callId: 'two', answer: { newContent: 'mine\n' } });
});

test('several choices may hold commas, and words of one’s own', async () => {
  const phone = await open();
  const options = ['Yes, all', 'Yes', 'Tests'].map((label) => ({ label }));
  const questions = [{ question: 'Which\u202e?', type: 'choice', multiSelect: true, options }];
  const { approval, ...call } = waitingShell('asked');
  ask({ ...call, approval: { ...approval, details: { kind: 'questions', description: '', questions } } });
  await phone.getByText('Which\\u{202e}?').waitFor();
  await phone.getByLabel('Tests').check();
  await phone.getByLabel('Yes, all').check();
  await phone.getByLabel('Another answer').fill('and docs');
  expect(await phone.getByLabel('Yes, all').isChecked()).toBe(true);
  expect(await phone.getByLabel('Another answer').inputValue()).toBe('and docs');
  await press(phone, 'Answer');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer.answers).toEqual({ 0: 'Yes, all, Tests, and docs' });
});

test('the path that is decided on is whole: from the workspace, or from the root', async () => {
  const phone = await open();
  ask(edit('deep', '/home/ada/shop/a/b/c/d/e.ts', 'new\n'), edit('far', '/home/ada/.ssh/x/y/z/config', 'new\n'));
  const path = phone.locator('.q-head .path');
  await path.getByText('shop/a/b/c/d/').waitFor();
  await press(phone, 'Next question');
  await until(async () => (await path.innerText()) === '/home/ada/.ssh/x/y/z/config');
});

test('a change that is too long for the stream is shown whole, and can be edited', async () => {
  const desk = await open({ size: 'desk' });
  const lines = Array.from({ length: 1400 }, (_, index) => `line ${index} ${'·'.repeat(1000)}`);
  ask(edit('long', '/home/ada/shop/long.txt', `${lines.join('\n')}\n`));
  await desk.getByText('+1400').waitFor();
  await isReady(desk);
  await desk.locator('.q-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
  await desk.locator('.sheet').getByText('line 1399').waitFor();
  await desk.locator('.unseen').waitFor({ state: 'detached' });
  await press(desk, 'Edit');
  expect(await desk.locator('.ed textarea').inputValue()).toContain('line 1399');
});

test('a question keeps what is being typed: the focus comes back to the input', async () => {
  const desk = await open({ size: 'desk' });
  await desk.locator('.composer textarea').pressSequentially('half a pro');
  ask(waitingShell());
  await desk.locator('.q-body:focus').waitFor();
  await isReady(desk);
  await desk.keyboard.press('Escape');
  await desk.locator('.folded:focus').waitFor();
  await desk.keyboard.press('Enter');
  await desk.locator('.q-body:focus').waitFor();
  await isReady(desk);
  await desk.keyboard.press('Control+Enter');
  await desk.locator('.composer textarea:focus').waitFor();
  await desk.keyboard.type('mpt');
  expect(await desk.locator('.composer textarea').inputValue()).toBe('half a prompt');
});

test('a first connection that fails is tried again, and so is a history that the server cannot read yet', async () => {
  const phone = await open();
  let refused = 0;
  await phone.route(/\/history\?/, (route) =>
    ++refused > 2
      ? route.fallback()
      : route.fulfill({ status: 503, json: { error: { code: 'store-unavailable', message: 'later' } } }),
  );
  let sockets = 0;
  await phone.routeWebSocket(/\/ws\?/, (socket) => {
    if (++sockets > 1) return void socket.connectToServer();
    return void socket.close({ code: 1013 });
  });
  await phone.reload();
  await phone.getByText('Nothing is lost').waitFor();
  await phone.locator('.state').getByText('Working').waitFor();
  expect(refused).toBeGreaterThan(2);
  await phone.locator('.thread').getByText('go').waitFor();
  excuse(phone, /503/);
});

test('a prompt that is sent without a connection is seen to wait', async () => {
  const phone = await open();
  const sockets = await holdSockets(phone);
  await phone.reload();
  await phone.locator('.state').getByText('Working').waitFor();
  await sockets.cut();
  await phone.getByText('Nothing is lost').waitFor();
  await phone.fill('.composer textarea', 'later');
  await phone.getByRole('button', { name: 'Queue' }).click();
  await phone.locator('.queue').getByText('not sent yet').waitFor();
  sockets.release();
  await phone.locator('.queue').getByText('not sent yet').waitFor({ state: 'detached' });
  // The reply to the prompt may come a frame before the prompt itself.
  await phone.locator('.queue .text').getByText('later').waitFor();
  expect(await phone.locator('.queue .text').allInnerTexts()).toEqual(['later']);
});

test('Stop is for the turn that was seen, not for the next one', async () => {
  const phone = await open();
  const sent: string[] = [];
  phone.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(payload.toString())));
  await phone.reload();
  await phone.click('.stop:enabled');
  const asked = await until(() => sent.find((frame) => frame.includes('tasks/cancel')));
  expect(JSON.parse(asked)).toMatchObject({ params: { id: hub.events[0]?.turnId } });
  await until(() => hub.engine.cancels === 1);
});

test('a prompt that the server does not take is said to be too large, and is not lost', async () => {
  const phone = await open();
  const text = 'x'.repeat(1_100_000);
  await phone.locator('.composer textarea').evaluate((area, value) => {
    (area as HTMLTextAreaElement).value = value;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
  await phone.getByRole('button', { name: 'Queue' }).click();
  await phone.getByRole('alert').getByText('larger than the server accepts').waitFor();
  expect((await phone.locator('.composer textarea').inputValue()).length).toBe(text.length);
  await phone.locator('.state').getByText('Working').waitFor();
});

test('a browser whose name ends with a number knows itself', async () => {
  const phone = await open({ name: 'Pixel 8' });
  await phone.fill('.composer textarea', 'mine');
  await phone.getByRole('button', { name: 'Queue' }).click();
  await phone.getByRole('button', { name: 'Take back: mine' }).waitFor();
  expect(await phone.locator('.queue .who').innerText()).toContain('you');
});

test('a code is good until it expires, whatever the clock of this browser says', async () => {
  const desk = await open({ size: 'desk' });
  await desk.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 600_000;
  });
  await desk.reload();
  await desk.getByRole('button', { name: 'Share' }).click();
  await desk.locator('.qr path').waitFor({ state: 'attached' });
  await desk.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await desk.getByText('This code has expired.').count()).toBe(0);
});

test('nothing that is said reorders or hides other words', async () => {
  const desk = await open({ size: 'desk' });
  hub.engine.say('plain \u001b[31mred\u001b[0m \u202edesrever\u202c end 👩‍👧');
  const { approval: _, ...call } = waitingShell('done');
  const output = { kind: 'text', text: '\u001b[32mgreen\u001b[0m \u2066x' } as const;
  hub.engine.report({ type: 'tool', call: { ...call, name: 'tool\u202e', status: 'succeeded', output } });
  hub.session.submit(prompt('later\u202e', { surface: 'a2a', client: 'al\u202eice' }));
  await desk.locator('.queue').getByText('later').waitFor();
  await desk.locator('.out').waitFor();
  expect(await desk.locator('.md').innerText()).toBe('plain red desrever end 👩‍👧');
  expect(await desk.locator('.out').innerText()).toBe('green x');
  // oxlint-disable-next-line no-control-regex -- it looks for them
  expect(await desk.locator('body').innerText()).not.toMatch(/[\u001b\u202a-\u202e\u2066-\u2069]/);
});

test('a code that did not reach the server is tried again', async () => {
  await hub.stop();
  hub = await serveHub({}, { ...wholePage(), requireToken: true });
  const owner = browserAt(hub.base, {}, { authorization: `Bearer ${token}` });
  const { json } = await owner.post('/ui/share', { role: 'watch' });
  const page = await (await browser.newContext()).newPage();
  let tries = 0;
  await page.route(/\/ui\/pair$/, (route) => (++tries === 1 ? route.abort() : route.fallback()));
  await page.goto(`${hub.server.url}#pair=${String(json['code'])}`);
  await page.getByRole('alert').getByText('The server does not answer.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('You are watching.').waitFor();
  await page.context().close();
});

test('Back leaves a dialog with its screen, and a list that could not be read leaves no connection behind', async () => {
  const served = await serveTasks(wholePage());
  const { taskId } = (await (await served.post('tasks')).json()) as { taskId: string };
  const { page } = await visit(browser, served.server.url, { size: 'desk' });
  await page.locator('.srow').click();
  await page.locator('.composer').waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('dialog', { name: 'Share this session' }).waitFor();
  let refused = 0;
  const left: string[] = [];
  page.on('requestfailed', (request) => left.push(new URL(request.url()).pathname));
  await page.route(/\/tasks\?limit/, (route) =>
    ++refused > 1 ? route.fallback() : route.fulfill({ status: 503, json: {} }),
  );
  await page.goBack();
  await page.locator('.srow').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(left).toEqual(['/tasks/events']);
  await page.goForward();
  await page.locator('.composer').waitFor();
  await served.remove(`tasks/${taskId}`);
  await page.getByText('This session has ended').waitFor();
  await page.getByRole('button', { name: 'All sessions' }).click();
  await page.getByText('No sessions yet').waitFor();
  await page.context().close();
  await served.stop();
});
