import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDebian } from '../support/debian.js';
import { waitingEdit } from '../support/manual-engine.js';
import { browserAt } from '../support/paired.js';
import { serveHub, type ServedHub, token } from '../support/served-hub.js';
import { patienceMs, until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';

/** Debian's Firefox, as it is. Playwright drives only a Firefox of its own; this driver speaks the standard WebDriver BiDi. */
const program = '/usr/bin/firefox-esr';
let browser: Browser;
let hub: ServedHub;

beforeAll(async () => {
  ensureDebian({ [program]: 'firefox-esr' });
  hub = await serveHub({}, { ...wholePage(), requireToken: true });
  browser = await puppeteer.launch({ browser: 'firefox', executablePath: program, timeout: patienceMs });
});
afterAll(async () => {
  await browser.close();
  await hub.stop();
});

test('in Firefox too, a browser pairs, prompts, edits a proposed file and answers', async () => {
  const { json } = await browserAt(hub.base, {}, { authorization: `Bearer ${token}` }).post('/ui/share', {
    role: 'work',
  });
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${hub.server.url}#pair=${String(json['code'])}`);
  await (await found(page, '.composer textarea')).type('hello from Firefox');
  await press(page, '.send', '', () => hub.engine.started.length === 1);
  hub.engine.say('# News\n\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  await found(page, '.md table');
  hub.engine.report({ type: 'tool', call: waitingEdit() });
  await press(page, '.sheet button', 'Edit', async () => (await page.$('.ed textarea')) !== null);
  await (await found(page, '.ed textarea')).focus();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('mine');
  await press(page, '.sheet button', 'Allow with my edit', () => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'proceed_once', newContent: 'mine' });
  await page.reload();
  await found(page, '.stamp');
  expect(problems).toEqual([]);
});

/** The driver's own ways to wait run `eval` in the page, which our content security policy forbids. */
function found(page: Page, selector: string): Promise<ElementHandle> {
  return until(async () => (await page.$(selector)) ?? undefined);
}

type Effect = () => boolean | Promise<boolean>;

/** Presses the button that begins with this text until it works: those of a new question do not at first. */
async function press(page: Page, selector: string, text: string, hasWorked: Effect): Promise<void> {
  const pressNow = (css: string, label: string): void => {
    const buttons = [...document.querySelectorAll<HTMLElement>(css)];
    buttons.find((button) => button.textContent.startsWith(label))?.click();
  };
  await until(async () => {
    await page.evaluate(pressNow, selector, text);
    return hasWorked();
  });
}
