import { expect, onTestFinished, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import type { ServerSettings } from '../../src/server/open-server.js';
import { waitingShell } from '../support/manual-engine.js';
import { prompt } from '../support/hub.js';
import { browserAt, pair } from '../support/paired.js';
import { openPushService } from '../support/push-service.js';
import { serveHub } from '../support/served-hub.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const alertTimes = { questionMs: 0, longTurnMs: 3600_000 };

async function openService() {
  const service = await openPushService();
  onTestFinished(() => void service.close());
  return service;
}

async function open(stateDir: string, session: string, allowed: string, more: Partial<ServerSettings> = {}) {
  const devices = new Devices(new TokenFolder(stateDir), `session:${session}`);
  const hub = await serveHub({ id: session }, { stateDir, devices, alertAllow: [allowed], alertTimes, ...more });
  onTestFinished(() => hub.stop());
  const owner = browserAt(hub.base);
  const ask = (): void => {
    hub.session.submit(prompt('go'));
    hub.engine.report({ type: 'tool', call: waitingShell() });
  };
  return { ...hub, owner, ask };
}

/** Anyone who could watch, and said so, took the alerts from those who could answer. */
test('somebody who may only watch does not mute the alerts of others', async () => {
  const service = await openService();
  const { base, owner, ask } = await open(temporaryFolder(), 'one', `${service.origin}/send`);
  const watcher = browserAt(base, await pair(base, owner, { role: 'watch' }));
  expect((await owner.post('/ui/push', { subscription: service.subscription() })).status).toBe(201);
  expect((await watcher.post('/ui/visible', { page: 'tab', isVisible: true })).status).toBe(204);
  ask();
  expect((await until(() => service.pushed[0])).alert).toEqual({ n: 1, task: 'one' });
});

/** A pairing is for one session, but its alerts went on with the next session at the same address. */
test('a device of an earlier session gets no alerts of a later one at the same address', async () => {
  const service = await openService();
  const stateDir = temporaryFolder();
  const port = await freePort();
  const first = await open(stateDir, 'one', `${service.origin}/send`, { port });
  const guest = browserAt(first.base, await pair(first.base, first.owner, { role: 'watch' }));
  expect((await guest.post('/ui/push', { subscription: service.subscription('guest') })).status).toBe(201);
  await first.server.close();
  const second = await open(stateDir, 'two', `${service.origin}/send`, { port });
  await second.owner.post('/ui/push', { subscription: service.subscription('owner') });
  second.ask();
  await until(() => service.pushed.length > 0);
  second.engine.end('failed');
  await until(() => service.pushed.some(({ alert }) => JSON.stringify(alert).includes('"n":0')));
  expect(service.pushed).toHaveLength(2);
});
