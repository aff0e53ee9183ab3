import puppeteer, { type Browser } from 'puppeteer-core';
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
  page.setDefaultTimeout(patienceMs);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${hub.server.url}#pair=${String(json['code'])}`);
  await page.locator('.composer textarea').fill('hello from Firefox');
  await page.locator('.send').click();
  await until(() => hub.engine.started.length === 1);
  hub.engine.say('# News\n\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  await page.waitForSelector('.md table');
  hub.engine.report({ type: 'tool', call: waitingEdit() });
  await page.locator('.sheet ::-p-text(Edit)').click();
  // As a person does it: fill() empties the field without an event, and the page may draw the old text again before it types.
  await page.locator('.ed textarea').click();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('mine');
  await page.locator('.sheet ::-p-text(Allow with my edit)').click();
  await until(() => hub.engine.answered.length === 1);
  expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'proceed_once', newContent: 'mine' });
  await page.reload();
  await page.waitForSelector('.stamp');
  expect(problems).toEqual([]);
});
