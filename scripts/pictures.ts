// Makes docs/pictures from a real run: the Gemini CLI in a terminal with the page open in four browsers, then `cosession serve`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser.js';
import { startLive } from '../test/support/live.js';
import { type Visit, visit } from '../test/support/page.js';
import { until } from '../test/support/until.js';
import { takeListPictures } from './pictures/list.js';
import { project, prompts, storyScript } from './pictures/story.js';
import { cell, svg, terminalWindow } from './pictures/terminal.js';

const out = 'docs/pictures';
const columns = 88;
const rows = 40;

const folder = mkdtempSync(join(tmpdir(), 'cosession-pictures-'));
mkdirSync(out, { recursive: true });
const browser = await startBrowser();
const live = await startLive({
  script: storyScript,
  port: 41_243,
  cols: columns,
  rows,
  workspace: join(folder, 'courier'),
  inWorkspace: (workspace) => {
    for (const [name, text] of Object.entries(project)) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), text);
    }
  },
});
await live.screen.waitFor('A2A endpoint on');
const url = await live.url();
const open = async (options: Visit): Promise<Page> => (await visit(browser, url, options)).page;
const phone = await open({ name: 'phone' });
const night = await open({ name: 'tablet', theme: 'dark' });
const desk = await open({ name: 'laptop', size: 'desk' });
const nightDesk = await open({ name: 'browser', size: 'desk', theme: 'dark' });

/** A picture in memory, for a page that shows several. */
const shot = async (page: Page): Promise<string> => (await page.screenshot()).toString('base64');
const save = (page: Page, name: string): Promise<unknown> => page.screenshot({ path: join(out, `${name}.png`) });
const isReady = (page: Page): Promise<void> => page.locator('.sheet .primary:enabled').waitFor();

await live.screen.submit(prompts.explain);
await nightDesk.locator('.md table').waitFor();
await phone.fill('.composer textarea', prompts.change);
await phone.click('.send');
await nightDesk.locator('.queue li').waitFor();
await nightDesk.locator('.code pre').getByText('throw').waitFor();
await save(nightDesk, 'session');
const streaming = await shot(phone);

await Promise.all([phone, night, desk].map(isReady));
await live.screen.waitFor('Apply this change?');
await save(desk, 'question');
const question = await shot(phone);
const terminal = live.screen.styled();
await live.screen.press('1');
await phone.locator('.settled').waitFor();
const elsewhere = await shot(phone);

await until(async () => (await desk.locator('.state').innerText()) === 'Idle');
await desk.fill('.composer textarea', prompts.ship);
await desk.press('.composer textarea', 'Enter');
await isReady(night);
const command = await shot(night);

const width = columns * cell.width + 24;
const height = rows * cell.height + 64;
const drawn = svg(width + 32, height + 32, [
  terminalWindow({ x: 16, width, height, title: 'cosession --a2a-port 41243', lines: terminal }),
]);
await takeListPictures({ browser, folder: join(folder, 'server'), save });
await compose('phone-and-terminal', 1240, 840, `<figure>${drawn}</figure>${image(question)}`);
await compose('phone', 1552, 828, [streaming, question, elsewhere, command].map(image).join(''));
await browser.close();
await live.stop();
rmSync(folder, { recursive: true, force: true });

function image(base64: string): string {
  return `<img src="data:image/png;base64,${base64}">`;
}

/** Several pictures side by side. */
async function compose(name: string, pageWidth: number, pageHeight: number, html: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: pageWidth, height: pageHeight } });
  const style = readFileSync(new URL('pictures/compose.css', import.meta.url), 'utf8');
  await page.setContent(`<style>${style}</style><body>${html}</body>`);
  await save(page, name);
}
