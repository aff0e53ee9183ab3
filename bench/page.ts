import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { Devices } from '../src/auth/devices.js';
import { TokenFolder } from '../src/auth/token-folder.js';
import { startBrowser } from '../test/support/browser.js';
import { prompt, tui } from '../test/support/hub.js';
import { visit } from '../test/support/page.js';
import { serveHub, type ServedHub } from '../test/support/served-hub.js';
import type { Bench, Row } from './support/bench.js';
import { now } from './support/clock.js';

const turns = 100;
const piecesPerTurn = 100;
const burst = 5000;
const piecesPerSecond = 800;

type Machine = {
  readonly name: string;
  readonly slowdown: number;
  readonly bytesPerSecond: number;
  readonly latency: number;
};

/** A phone as browsers' own tools emulate one: a quarter of the speed, 1.6 Mbit/s, 150 ms. */
const machines: readonly Machine[] = [
  { name: 'desktop', slowdown: 1, bytesPerSecond: -1, latency: 0 },
  { name: 'slow phone', slowdown: 4, bytesPerSecond: 200_000, latency: 150 },
];

export const page: Bench = {
  name: 'page',
  question: `The page opens a session of ${turns * piecesPerTurn} events, then gets ${burst} pieces of text at ${piecesPerSecond} a second: how long does it take, and does it stay responsive?`,
  target: 'usable after 1 s (2.5 s), complete after 4 s on the phone, no task over 200 ms, at most 40 MB of heap',
  async run() {
    const browser = await startBrowser();
    try {
      const rows: Row[] = [];
      for (const machine of machines) rows.push(await measure(browser, machine));
      return rows;
    } finally {
      await browser.close();
    }
  },
};

async function measure(browser: Browser, machine: Machine): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'cosession-bench-'));
  const hub = await serveHub({}, { devices: new Devices(new TokenFolder(folder), 'here') });
  fill(hub);
  const { page: tab } = await visit(browser, hub.server.url, { size: machine.slowdown > 1 ? 'phone' : 'desk' });
  const tools = await tab.context().newCDPSession(tab);
  await emulate(tools, machine);
  await tab.addInitScript(watchLongTasks);
  const startedAt = now();
  await tab.reload({ waitUntil: 'commit' });
  await tab.locator('.composer').waitFor();
  const usable = now() - startedAt;
  await tab.getByText(lastWords).waitFor();
  const complete = now() - startedAt;
  await longestTask(tab);
  hub.session.submit(prompt('more', tui));
  await pour(hub);
  await tab.getByText('That was all.').waitFor();
  const longest = await longestTask(tab);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  await tab.context().close();
  await hub.stop();
  rmSync(folder, { recursive: true, force: true });
  return {
    machine: machine.name,
    'usable ms': Math.round(usable),
    'complete ms': Math.round(complete),
    'longest task in the burst ms': Math.round(longest),
    'heap MB': (usedSize / 1024 / 1024).toFixed(1),
  };
}

const lastWords = `The end of turn ${turns}.`;

function fill(hub: ServedHub): void {
  for (let turn = 1; turn <= turns; turn++) {
    hub.session.submit(prompt(`Question ${turn}`, tui));
    for (let piece = 3; piece < piecesPerTurn; piece++) hub.engine.say('a piece of **a reply** with `code` \n');
    hub.engine.say(`\n\nThe end of turn ${turn}.`);
    hub.engine.end();
  }
}

async function pour(hub: ServedHub): Promise<void> {
  const startedAt = now();
  for (let said = 0; said < burst;) {
    const due = Math.min(burst, Math.floor(((now() - startedAt) / 1000) * piecesPerSecond));
    for (; said < due; said++) hub.engine.say(said % 40 === 39 ? 'the end of a line.\n\n' : 'a piece of text ');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  hub.engine.say('\n\nThat was all.');
  hub.engine.end();
}

async function emulate(tools: CDPSession, { slowdown, bytesPerSecond, latency }: Machine): Promise<void> {
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput });
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

/** Runs in the browser, so it is text: there are no types of the browser here. */
const watchLongTasks = `
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
  }).observe({ type: 'longtask' });
`;

/** Since the last call. */
async function longestTask(tab: Page): Promise<number> {
  return tab.evaluate<number>('(() => { const found = globalThis.longest; globalThis.longest = 0; return found; })()');
}
