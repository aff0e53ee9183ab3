import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { startBrowser } from '../support/browser.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The built page (`node scripts/build.js`) in a real browser. */
let hub: ServedHub;
let base = '';
let context: BrowserContext;
let page: Page;
let worker: Worker;
const opened = startBrowser();
beforeAll(async () => {
  const stateDir = temporaryFolder();
  hub = await serveHub({}, { stateDir, devices: new Devices(new TokenFolder(stateDir), 'here') });
  base = hub.server.url;
  context = await (await opened).newContext();
  await context.grantPermissions(['notifications'], { origin: base });
  page = await context.newPage();
  const registered = context.waitForEvent('serviceworker');
  await page.goto(base);
  worker = await registered;
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
});
afterAll(async () => {
  await (await opened).close();
  await hub.stop();
});

/** Delivers an alert as the browser's push service does, after it was decrypted. */
async function deliver(alert: object): Promise<void> {
  const session: CDPSession = await context.newCDPSession(page);
  const ids: string[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    ids.push(...registrations.map(({ registrationId }) => registrationId)),
  );
  await session.send('ServiceWorker.enable');
  const registrationId = await until(() => ids[0]);
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: base.slice(0, -1),
    registrationId,
    data: JSON.stringify(alert),
  });
}

type Shown = { readonly title: string; readonly body: string; readonly tag: string };

const shown = () =>
  page.evaluate<Shown[]>(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`);

test('it is registered for the whole page under the strict policy, and keeps only static files', async () => {
  expect(new URL(worker.url()).pathname).toBe('/ui/sw.js');
  const [scope, urls] = await worker.evaluate<[string, string[]]>(`caches.keys()
    .then(([name]) => caches.open(name))
    .then((cache) => cache.keys())
    .then((keys) => [registration.scope, keys.map(({ url }) => url)])`);
  expect(scope).toBe(base);
  const paths = urls.map((url) => url.slice(base.length));
  expect(paths).toEqual(expect.arrayContaining(['', 'ui/main.js', 'ui/app.css']));
  expect(paths.filter((path) => path !== '' && !/^ui\/[\w./-]+\.(js|css|svg|webmanifest)$/.test(path))).toEqual([]);
});

test('an alert says how many questions wait and nothing of the session; a later one takes its place', async () => {
  await deliver({ n: 1, task: 'session-1' });
  await until(async () => (await shown()).length === 1);
  expect(await shown()).toEqual([{ title: 'A question waits', body: 'Open to see it.', tag: 'session-1' }]);
  await deliver({ n: 2, task: 'session-1' });
  await until(async () => (await shown())[0]?.title === '2 questions wait');
  expect(await shown()).toHaveLength(1);
});

test('clicking it leads an open window to the task', async () => {
  await worker.evaluate(`registration.getNotifications().then(([notification]) =>
    void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await until(() => page.url().endsWith('?task=session-1'));
});

test('without the server the page still opens, and says that it is not reachable', async () => {
  await hub.server.close();
  await page.goto(base);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe('The server does not answer.');
  expect(await worker.evaluate('caches.keys().then(({ length }) => length)')).toBe(1);
});
