import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApprovalDetails, WaitingCall } from '../../src/domain/tool-call.js';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { visit, type Visit, type Visitor } from '../support/page.js';
import { serveHub, type ServedHub } from '../support/served-hub.js';
import { until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';

let browser: Browser;
let hub: ServedHub;
const visitors: Visitor[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  hub = await serveHub({}, wholePage());
  hub.session.submit(prompt('go', tui));
});
afterEach(async () => {
  const gone = visitors.splice(0);
  expect(gone.flatMap(({ problems }) => problems)).toEqual([]);
  await Promise.all(gone.map(({ page }) => page.context().close()));
  await hub.stop();
});

async function open(options: Visit = {}): Promise<Page> {
  const visitor = await visit(browser, hub.server.url, options);
  visitors.push(visitor);
  return visitor.page;
}

function ask(call: WaitingCall): void {
  hub.engine.report({ type: 'tool', call });
}

function asking(details: ApprovalDetails): WaitingCall {
  const call = waitingShell('asked');
  return { ...call, name: 'tool', args: {}, approval: { ...call.approval, details } };
}

/** Waits until the button works, then presses it. */
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('.sheet').getByRole('button', { name }).click();

test('the buttons of a question are dead when it appears', async () => {
  const phone = await open();
  await phone.evaluate(() => {
    const seen: boolean[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const button = document.querySelector('.sheet .primary');
      if (button instanceof HTMLButtonElement && seen.length === 0) seen.push(button.disabled);
    }).observe(document.body, { childList: true, subtree: true });
  });
  ask(waitingShell());
  await phone.locator('.sheet .primary:enabled').waitFor();
  expect(await phone.evaluate(() => Reflect.get(window, 'seen') as boolean[])).toEqual([true]);
  expect(await phone.title()).toMatch(/^\? /);
});

test('the whole command is shown, one step a line, with its hidden characters', async () => {
  const phone = await open();
  ask(
    asking({
      kind: 'execute',
      command: 'npm test && git push\u202e origin "a && b"; rm -rf ~',
      workingDirectory: '/w',
    }),
  );
  await phone.locator('.sheet .cmd').waitFor();
  expect(await phone.locator('.sheet .cmd li').allInnerTexts()).toEqual([
    'npm test &&',
    'git push\\u{202e} origin "a && b";',
    'rm -rf ~',
  ]);
  await press(phone, 'Run once');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'proceed_once' });
});

test('a file is edited, and the edit is what is sent; Ctrl+Enter is the first button', async () => {
  const desk = await open({ size: 'desk' });
  ask(waitingEdit());
  await desk.locator('.sheet .duo').first().waitFor();
  await press(desk, 'Edit');
  await desk.fill('.ed textarea', 'mine');
  await desk.getByText('Your edit against the proposal').waitFor();
  await desk.locator('.sheet .primary:enabled').waitFor();
  await desk.keyboard.press('Control+Enter');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'proceed_once', newContent: 'mine' });
});

test('of two opposite answers one counts, and both pages say which', async () => {
  const [phone, laptop] = await Promise.all([open(), open({ name: 'laptop', size: 'desk' })]);
  ask(waitingShell());
  await Promise.all([phone, laptop].map((page) => page.locator('.sheet .primary:enabled').waitFor()));
  // Found first and then clicked in one moment: the button of the slower page may be gone by then.
  const deny = await phone.locator('.acts .plain').first().elementHandle();
  const allow = await laptop.locator('.acts .primary').elementHandle();
  await Promise.all([deny, allow].map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
  await until(() => hub.engine.answered.length === 1);
  const isDenied = hub.engine.answered[0]?.answer.optionId === 'cancel';
  const [loser, winner] = isDenied ? [laptop, 'Denied by phone'] : [phone, 'Allowed once by laptop'];
  const settled = loser.locator('.settled');
  await settled.waitFor();
  expect((await settled.locator('strong').innerText()).replaceAll(/\s+/g, ' ')).toContain(winner.split(' by ')[0]);
  expect(await settled.innerText()).toContain('Nothing was sent from here.');
  expect(hub.engine.answered).toHaveLength(1);
});

test('an answer from a second tab of one browser is nobody else’s', async () => {
  const [first, second] = await Promise.all([open({ size: 'desk' }), open()]);
  const other = await open({ name: 'laptop', size: 'desk' });
  ask(waitingShell());
  await other.getByText('also open on the terminal and 2 more').waitFor();
  for (const tab of [first, second]) await tab.locator('.sheet .primary:enabled').waitFor();
  await press(second, 'Run once');
  await other.locator('.settled').getByText('phone').waitFor();
  await second.locator('.sheet').waitFor({ state: 'detached' });
  expect(await second.locator('.settled').count()).toBe(0);
  expect(await second.locator('.stamp').innerText()).toContain('you');
  expect(await first.locator('.stamp').innerText()).toContain('you');
});

test('what was typed is not lost when somebody else is faster', async () => {
  const phone = await open();
  ask(waitingEdit());
  await press(phone, 'Edit');
  await phone.fill('.ed textarea', 'mine');
  await until(() => hub.session.snapshot.pending.length === 1);
  hub.session.answer('edit-1', { optionId: 'cancel' }, tui);
  await phone.getByRole('button', { name: 'Copy my edit' }).waitFor();
  expect(await phone.locator('.settled').innerText()).toContain('terminal');
});

test('a denial can carry words, which are the next prompt', async () => {
  const phone = await open();
  ask(waitingShell());
  await press(phone, 'More answers');
  await press(phone, 'Deny and say why');
  await phone.getByLabel('What should the agent do instead?').fill('use make clean');
  await press(phone, 'Deny and send');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'cancel' });
  await phone.locator('.queue').getByText('use make clean').waitFor();
});

test('wider answers are behind the dots', async () => {
  const phone = await open();
  ask(waitingShell());
  await phone.locator('.sheet .primary:enabled').waitFor();
  expect(await phone.locator('.acts > button').allInnerTexts()).toEqual(['Run once', 'Deny']);
  await press(phone, 'More answers');
  await press(phone, 'Allow for this session');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer.optionId).toBe('proceed_always');
});

test('the agent asks: choices, several of them, free text', async () => {
  const phone = await open();
  const questions = [
    { question: 'Which store?', type: 'choice', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
    {
      question: 'Which parts?',
      type: 'choice',
      multiSelect: true,
      options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }],
    },
    { question: 'Its name?', type: 'text' },
    { question: 'Sure?', type: 'yesno' },
  ];
  ask(asking({ kind: 'questions', description: '', questions }));
  await phone.getByLabel('SQLite').check();
  await phone.getByLabel('c', { exact: true }).check();
  await phone.getByLabel('a', { exact: true }).check();
  await phone.getByLabel('Its name?').fill('shop');
  await phone.getByLabel('Yes').check();
  await press(phone, /^Answer$/);
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer.answers).toEqual({ 0: 'SQLite', 1: 'a, c', 2: 'shop', 3: 'Yes' });
});

test('a plan is accepted, or sent back with what should change', async () => {
  const phone = await open();
  ask(asking({ kind: 'plan', description: 'Accept the plan in plan.md?', planPath: 'plan.md' }));
  await phone.getByLabel('What should change in the plan?').fill('smaller steps');
  await press(phone, 'Ask for these changes');
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'proceed_once', feedback: 'smaller steps' });
});

test('several questions are answered one after the other', async () => {
  const phone = await open();
  ask(waitingShell('one'));
  ask(waitingEdit('two'));
  await phone.getByText('2 need you').waitFor();
  await press(phone, 'Next question');
  await phone.locator('.sheet').getByText('Apply this change?').waitFor();
  await press(phone, 'Deny');
  await phone.locator('.sheet').getByText('Run this command?').waitFor();
  await press(phone, 'Run once');
  await until(() => hub.engine.answered.length === 2);
  expect(hub.engine.answered.map(({ callId }) => callId)).toEqual(['two', 'one']);
});

test('a guest who watches sees the question and has nothing to press; one who may answer cannot prompt', async () => {
  const watcher = await open({ name: 'watcher', role: 'watch', size: 'desk' });
  const helper = await open({ name: 'helper', role: 'approve' });
  ask(waitingShell());
  await watcher.getByText('Somebody is asked').click();
  await watcher.locator('.sheet .cmd').waitFor();
  expect(await watcher.locator('.acts, .composer, .stop, .queue button').count()).toBe(0);
  expect(await watcher.getByText('You are watching.').count()).toBeGreaterThan(0);
  await helper.getByText('You may answer questions here.').waitFor();
  expect(await helper.locator('.composer').count()).toBe(0);
  await press(helper, 'More answers');
  expect(await helper.getByText('Deny and say why').count()).toBe(0);
  await press(helper, 'Run once');
  await until(() => hub.engine.answered.length === 1);
});
