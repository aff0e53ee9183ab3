import { expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { visit } from '../support/page.js';
import { serveHub } from '../support/served-hub.js';
import { wholePage } from '../support/whole-page.js';

/** From the first socket on, holds the frames of a browser, and the timers for the case that there are none, until `letFrames()`. */
const holdFrames = `
  const { requestAnimationFrame: draw, setTimeout: later, WebSocket: Socket } = globalThis;
  const frames = [], timers = [];
  let isHeld = false;
  globalThis.WebSocket = class extends Socket {
    constructor(...where) {
      super(...where);
      isHeld = true;
    }
  };
  globalThis.requestAnimationFrame = (frame) => draw((at) => (isHeld ? frames.push(frame) : frame(at)));
  globalThis.setTimeout = (run, ms, ...rest) =>
    later(() => (isHeld && ms <= 250 ? timers.push(() => run(...rest)) : run(...rest)), ms);
  globalThis.letFrames = () => {
    isHeld = false;
    for (const frame of frames) frame(performance.now());
    later(() => timers.forEach((run) => run()), 100);
  };
`;

test('a page whose first frame comes after everything that happened in a session shows it', async () => {
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const hub = await serveHub({}, wholePage());
  onTestFinished(() => hub.stop());
  hub.session.submit(prompt('hello', tui));
  hub.engine.say('All that was said.');
  hub.engine.end();
  const { page, problems } = await visit(browser, hub.server.url, { size: 'desk' });
  await page.getByText('All that was said.').waitFor();
  await page.addInitScript(holdFrames);
  const history = page.waitForEvent('requestfinished', (request) => request.url().includes('/history?'));
  await page.reload({ waitUntil: 'commit' });
  await history;
  // The page gets what it has read in the turns of its loop after that.
  await page.evaluate(`new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    let turns = 0;
    port1.onmessage = () => (++turns === 200 ? done() : port2.postMessage(''));
    port2.postMessage('');
  })`);
  await page.evaluate('letFrames()');
  await page.getByText('All that was said.').waitFor();
  expect(await page.locator('.state').innerText()).toBe('Idle');
  expect(problems).toEqual([]);
});
