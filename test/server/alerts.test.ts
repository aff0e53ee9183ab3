import { createECDH } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { alertTimes, watchSession } from '../../src/server/alerts/watch-session.js';
import type { ServerSettings } from '../../src/server/open-server.js';
import { openHub, prompt } from '../support/hub.js';
import { decrypt, openPushService } from '../support/push-service.js';
import { serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** A question is alerted at once, and no turn of a test is long. */
const atOnce = { questionMs: 0, longTurnMs: 3600_000 };

async function open(settings: Partial<ServerSettings> = {}, status?: () => number) {
  const service = await openPushService(status);
  const stateDir = settings.stateDir ?? temporaryFolder();
  const hub = await serveHub({}, { stateDir, alertAllow: [`${service.origin}/send`], alertTimes: atOnce, ...settings });
  onTestFinished(async () => {
    service.close();
    await hub.stop();
  });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${hub.base}/${path}`, {
      method,
      // A connection to a server that has been restarted would be reused.
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const subscribe = (name?: string, headers?: Record<string, string>) =>
    call('POST', 'ui/push', { subscription: service.subscription(name) }, headers);
  const { publicKey } = (await (await call('GET', 'ui/push')).json()) as { publicKey: string };
  return { ...hub, service, stateDir, call, subscribe, publicKey };
}

type Opened = Awaited<ReturnType<typeof open>>;

function ask({ session, engine }: Opened, id: string): void {
  session.submit(prompt('go'));
  engine.report(question(id));
}

function question(id: string) {
  const approval = {
    options: [{ id: 'proceed_once', name: 'Yes' }],
    details: { kind: 'execute', command: 'rm secret.txt' },
  } as const;
  return {
    type: 'tool',
    call: { id, name: 'shell', args: { command: 'rm secret.txt' }, status: 'waiting', approval },
  } as const;
}

describe('an alert about a question', () => {
  test('says how many wait and where, encrypted for the browser and signed by this server', async () => {
    const opened = await open();
    expect((await opened.subscribe()).status).toBe(201);
    ask(opened, 'call-1');
    const sent = await until(() => opened.service.pushed[0]);
    expect(sent.alert).toEqual({ n: 1, task: 'session-1' });
    expect(sent.bytes.toString('latin1')).not.toContain('session-1');
    expect(sent.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '300', urgency: 'high' });
    expect(sent.headers['topic']).toMatch(/^[\w-]{32}$/);
    expect(await opened.service.senderOf(sent, opened.publicKey)).toMatchObject({
      sub: expect.stringMatching(/^mailto:/),
    });
  });

  test('is not sent while somebody can see the page', async () => {
    const said: string[] = [];
    const log = { debug: (line: string) => void said.push(line), info: () => {}, error: () => {} };
    const opened = await open({ log });
    await opened.subscribe();
    await opened.call('POST', 'ui/visible', { page: 'tab', isVisible: true, taskId: 'session-1' });
    ask(opened, 'call-1');
    await until(() => said.includes('no alert: the page is visible'));
    await opened.call('POST', 'ui/visible', { page: 'tab', isVisible: false });
    opened.engine.end('failed', 'no more');
    expect((await until(() => opened.service.pushed[0])).alert).toEqual({ n: 0, task: 'session-1' });
    expect(opened.service.pushed).toHaveLength(1);
  });
});

describe('what is worth an alert', () => {
  const watched = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const hub = openHub();
    const alert = vi.fn<() => void>();
    watchSession(hub.session, alertTimes, alert);
    hub.session.submit(prompt('go'));
    return { ...hub, alert };
  };

  test('a question that nobody has answered for five seconds', () => {
    const { engine, session, alert } = watched();
    engine.report(question('call-1'), question('call-2'));
    vi.advanceTimersByTime(4999);
    session.answer('call-1', { optionId: 'proceed_once' }, { surface: 'tui' });
    expect(alert).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(alert).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(alert).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['completed', 60_000, 0],
    ['completed', 60_001, 1],
    ['canceled', 60_001, 0],
    ['failed', 0, 1],
  ] as const)('a turn that is %s after %i ms: %i', (state, ms, times) => {
    const { engine, alert } = watched();
    vi.advanceTimersByTime(ms);
    engine.end(state);
    expect(alert).toHaveBeenCalledTimes(times);
  });
});

describe('a subscription', () => {
  test('survives a restart of the server, with the same key', async () => {
    const first = await open();
    await first.subscribe();
    const folder = join(first.stateDir, 'push');
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    await first.server.close();
    const again = await open({
      stateDir: first.stateDir,
      port: first.server.port,
      alertAllow: [`${first.service.origin}/send`],
    });
    expect(again.publicKey).toBe(first.publicKey);
    ask(again, 'call-1');
    expect((await until(() => first.service.pushed[0])).alert).toEqual({ n: 1, task: 'session-1' });
  });

  test('is forgotten when the push service says that it has ended, and when it is removed', async () => {
    let status = 201;
    const opened = await open({}, () => status);
    const count = (): number =>
      readdirSync(join(opened.stateDir, 'push')).filter((name) => name.endsWith('.sub')).length;
    await opened.subscribe('phone');
    await opened.subscribe('tablet');
    expect(count()).toBe(2);
    const { endpoint } = opened.service.subscription('tablet');
    expect((await opened.call('DELETE', 'ui/push', { endpoint })).status).toBe(204);
    expect(count()).toBe(1);
    status = 410;
    ask(opened, 'call-1');
    await until(() => count() === 0);
    expect(opened.service.pushed).toHaveLength(1);
  });

  test('of a revoked token gets nothing more', async () => {
    const stateDir = temporaryFolder();
    const tokens = new TokenFolder(stateDir);
    const token = await tokens.create({ name: 'phone', scopes: ['view'] });
    const opened = await open({ stateDir, auth: { authenticators: [tokens] } });
    expect((await opened.subscribe('phone', { authorization: `Bearer ${token}` })).status).toBe(201);
    await opened.subscribe('laptop');
    await tokens.revoke('phone');
    ask(opened, 'call-1');
    await until(() => readdirSync(join(stateDir, 'push')).filter((name) => name.endsWith('.sub')).length === 1);
    await until(() => opened.service.pushed.length > 0);
    expect(opened.service.pushed).toHaveLength(1);
  });

  test('needs an address that webhooks may use too, and can be tested by its own browser only', async () => {
    const opened = await open();
    const inside = { endpoint: 'http://169.254.169.254/latest', keys: opened.service.subscription().keys };
    expect((await opened.call('POST', 'ui/push', { subscription: inside })).status).toBe(400);
    const { endpoint } = opened.service.subscription();
    expect((await opened.call('POST', 'ui/push/test', { endpoint })).status).toBe(404);
    await opened.subscribe();
    const tested = await opened.call('POST', 'ui/push/test', { endpoint });
    expect(await tested.json()).toEqual({ isSent: true });
    expect(opened.service.pushed.map(({ alert }) => alert)).toEqual([{ n: 0, task: '' }]);
  });
});

test('the push service of the tests reads the example of RFC 8291', () => {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
  const browser = createECDH('prime256v1');
  browser.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
  const message = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(decrypt(message, browser, bytes('BTBZMqHH6r4Tts7J_aSIgg')).toString()).toBe(
    'When I grow up, I want to be a watermelon',
  );
});
