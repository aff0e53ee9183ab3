import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { ask } from '../support/ask.js';
import { startWholeBrowser } from '../support/browser.js';
import { prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { openPushService } from '../support/push-service.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';
import { wholePage } from '../support/whole-page.js';

/** The built page (`node scripts/build.js`) in a real browser, and a push service on this machine. */
let hub: ServedHub;
let service: Awaited<ReturnType<typeof openPushService>>;
let base = '';
let context: BrowserContext;
let page: Page;
let worker: Worker;
const opened = startWholeBrowser();
beforeAll(async () => {
  service = await openPushService();
  const alerts = { alertAllow: [`${service.origin}/send`], alertTimes: { questionMs: 0, longTurnMs: 3600_000 } };
  hub = await serveHub({}, { ...wholePage(), ...alerts });
  base = hub.server.url;
  context = await (await opened).newContext();
  await context.grantPermissions(['notifications'], { origin: base });
  page = await context.newPage();
  await page.addInitScript(subscribeHere, service.subscription());
  const registered = context.waitForEvent('serviceworker');
  await page.goto(base);
  worker = await registered;
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
});
afterAll(async () => {
  await (await opened).close();
  service.close();
  await hub.stop();
});

/** Chromium's own push service is on the internet. This one stands in for it: the browser is given its address and keys. */
function subscribeHere(given: { endpoint: string; keys: object }): void {
  let current: object | null = null;
  const subscription = {
    ...given,
    toJSON: () => given,
    unsubscribe: async () => {
      current = null;
      return true;
    },
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => current,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      Object.assign(window, { applicationServerKey });
      return (current = subscription);
    },
  });
}

/**
 * Delivers an alert as the browser's push service does, after it was decrypted, and waits until it is shown. The list of
 * notices is no way to wait: Chromium forgets a notice if it is asked for the list just before it shows it.
 */
async function deliver(alert: object): Promise<void> {
  await worker.evaluate(`{
    const show = ServiceWorkerRegistration.prototype.showNotification.bind(registration);
    const { promise, resolve } = Promise.withResolvers();
    registration.showNotification = (...notice) => {
      const noticed = show(...notice);
      resolve(noticed);
      return noticed;
    };
    Object.assign(self, { noticed: promise });
    undefined;
  }`);
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
  await worker.evaluate('self.noticed');
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

const settings = async (): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Settings' }).click();
};

test('alerts are switched on in Settings, and a test arrives, signed by this server', async () => {
  await settings();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('Sent. It should arrive within seconds.').waitFor();
  const [sent] = service.pushed;
  expect(sent?.alert).toEqual({ n: 0, task: '' });
  const key = await page.evaluate(() => String(Reflect.get(window, 'applicationServerKey')));
  expect(sent && (await service.senderOf(sent, key))).toHaveProperty('sub');
  await page.getByRole('button', { name: 'Done' }).click();
});

test('a question is alerted when nobody looks: how many wait, nothing of the session, one notice for both', async () => {
  const reported = page.waitForResponse((response) => response.url().endsWith('ui/visible'));
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await reported;
  hub.session.submit(prompt('go'));
  hub.engine.report({ type: 'tool', call: waitingShell('one') });
  await until(() => service.pushed.length === 2);
  expect(service.pushed[1]?.alert).toEqual({ n: 1, task: 'session-1' });
  await deliver(service.pushed[1]?.alert ?? {});
  expect(await shown()).toEqual([{ title: 'A question waits', body: 'Open to see it.', tag: 'session-1' }]);
  hub.engine.report({ type: 'tool', call: waitingShell('two') });
  await until(() => service.pushed.length === 3);
  await deliver(service.pushed[2]?.alert ?? {});
  expect(await shown()).toMatchObject([{ title: '2 questions wait' }]);
});

test('clicking it leads an open window to the question', async () => {
  await worker.evaluate(`registration.getNotifications().then(([notification]) =>
    void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await until(() => page.url().endsWith('?task=session-1'));
  await page.getByRole('alertdialog', { name: 'Run this command?' }).waitFor();
});

test('switched off, nothing is sent any more', async () => {
  await settings();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
  const { endpoint } = service.subscription();
  expect((await hub.post('ui/push/test', { endpoint })).status).toBe(404);
});

test('a new version takes the place of the old one, with its files', async () => {
  let version = 'first';
  const relay = async ({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host } = new URL(base);
    const accept = headers.accept ?? '*/*';
    const reply = await ask(hub.base + url, { host, accept, 'accept-encoding': 'identity' });
    const { 'content-length': _, ...kept } = reply.headers;
    const isWorker = url === '/ui/sw.js';
    const body = isWorker ? reply.body.toString().replace(/version:"\w+"/, `version:"${version}"`) : reply.body;
    response.writeHead(reply.status, kept).end(body);
  };
  const front = createServer((request, response) => void relay(request, response).catch(() => response.destroy()));
  const origin = `http://127.0.0.1:${await listenOnLoopback(front, 0)}`;
  const tab = await context.newPage();
  await tab.goto(origin);
  const caches = () => tab.evaluate<string[]>('caches.keys()');
  await until(async () => (await caches()).join() === `cosession ${origin}/ first`);
  version = 'second';
  await tab.evaluate('navigator.serviceWorker.ready.then((registration) => void registration.update())');
  await until(async () => (await caches()).join() === `cosession ${origin}/ second`);
  await tab.reload();
  await tab.locator('.app').waitFor();
  await tab.close();
  front.close();
  front.closeAllConnections();
});

test('without the server the page still opens, and says that it is not reachable', async () => {
  await hub.server.close();
  await page.goto(base);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe('The server does not answer.');
  expect(await worker.evaluate('caches.keys().then(({ length }) => length)')).toBe(1);
});
