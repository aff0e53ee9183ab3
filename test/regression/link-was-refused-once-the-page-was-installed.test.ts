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
  const controller = 'navigator.serviceWorker.controller';
  const follow = async (): Promise<void> => {
    await page.goto(site.url);
    await page.click('a');
    await page.locator('.composer').waitFor();
  };
  await follow();
  // From now on the service worker answers.
  await page.evaluate(`navigator.serviceWorker.ready.then(
    () => ${controller} ?? new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done)),
  ).then(() => {})`);
  await follow();
  expect(await page.evaluate(`${controller} !== null`)).toBe(true);
});
