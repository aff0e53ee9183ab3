import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { visit } from '../support/page.js';
import { serveHub, type ServedHub } from '../support/served-hub.js';
import { wholePage } from '../support/whole-page.js';

/**
 * The budgets of a slow phone: a quarter of the speed, 1.6 Mbit/s, 150 ms. They are counted in processor time and bytes, which
 * a busy machine does not change much, and not in time, which it does. `npm run bench -- page` measures the time.
 */
const slowdown = 4;
const bytesPerMs = 200;
const latencyMs = 150;
/** The page, its files, and the connection. */
const roundTrips = 4;

const turns = 100;
const piecesPerTurn = 100;
const lastWords = `The end of turn ${turns}.`;

let browser: Browser;
let hub: ServedHub;
let page: Page;
let tools: CDPSession;

beforeAll(async () => {
  browser = await startBrowser();
  hub = await serveHub({}, wholePage());
  for (let turn = 1; turn <= turns; turn++) {
    hub.session.submit(prompt(`Question ${turn}`, tui));
    for (let piece = 3; piece < piecesPerTurn; piece++) hub.engine.say('a piece of **a reply** with `code` \n');
    hub.engine.say(`\n\nThe end of turn ${turn}.`);
    hub.engine.end();
  }
  ({ page } = await visit(browser, hub.server.url));
  await page.getByText(lastWords).waitFor();
  tools = await page.context().newCDPSession(page);
});
afterAll(async () => {
  await browser.close();
  await hub.stop();
});

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number };

/** The processor time of each task of the page while `work` is done, in milliseconds. */
async function tasksDuring(work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const drawing = new Set(traceEvents.filter(({ name }) => name === 'FireAnimationFrame').map(threadOf));
  return traceEvents
    .filter((event) => event.name === 'RunTask' && drawing.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
}

test('a session of 10,000 events is there on a slow phone within 4 seconds', async () => {
  let bytes = 0;
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  tools.on('Network.webSocketFrameReceived', ({ response }) => (bytes += response.payloadData.length));
  await tools.send('Network.enable');
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const tasks = await tasksDuring(async () => {
    await page.reload();
    await page.getByText(lastWords).waitFor();
  });
  const busy = tasks.reduce((sum, ms) => sum + ms, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(busy).toBeGreaterThan(10);
  expect(bytes / bytesPerMs + busy * slowdown + roundTrips * latencyMs).toBeLessThan(4000);
});

/** Looks at the end of the thread only: a search through all of it would be a long task itself. */
function drawnUntil(words: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const end = document.querySelector('.turn:last-child > :last-child > :last-child')?.textContent;
      if (end?.includes(words)) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

const frames = 125;

test('5,000 pieces of text, 40 in each frame, make no long tasks', async () => {
  hub.session.submit(prompt('more', tui));
  const tasks = await tasksDuring(async () => {
    for (let frame = 0; frame < frames; frame++) {
      for (let piece = 1; piece < 40; piece++) hub.engine.say('a **piece** of text ');
      hub.engine.say(`frame ${frame}. `);
      // On a busy machine, the pieces of many frames would otherwise arrive at once.
      await page.evaluate(drawnUntil, `frame ${frame}.`);
      hub.engine.say('\n\n');
    }
  });
  // Half of the frames have less: a single one may be disturbed by whatever else the machine does.
  const longest = tasks.toSorted((a, b) => b - a).slice(0, frames);
  expect(longest).toHaveLength(frames);
  expect((longest[Math.floor(frames / 2)] ?? Infinity) * slowdown).toBeLessThan(200);
});

test('all of it takes at most 40 MB of memory', async () => {
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  expect(usedSize).toBeLessThan(40 * 1024 * 1024);
});
