import { expect, onTestFinished, test } from 'vitest';
import { serveSite, startBrowser } from '../support/browser.js';
import { serveHub } from '../support/served-hub.js';
import { wholePage } from '../support/whole-page.js';

test('a link on another site opens the page, also where its service worker answers', async () => {
  const hub = await serveHub({}, wholePage());
  const site = await serveSite(`<a href="${hub.server.url}?task=session-1">a link in a mail</a>`);
  const browser = await startBrowser();
  onTestFinished(async () => {
    await browser.close();
    site.close();
    await hub.stop();
  });
  const page = await browser.newPage();
  for (const isInstalled of [false, true]) {
    await page.goto(site.url);
    await page.click('a');
    await page.locator('.composer').waitFor();
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(isInstalled);
    await page.evaluate(`navigator.serviceWorker.ready.then(
      () => navigator.serviceWorker.controller ?? new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done)),
    ).then(() => {})`);
  }
});
