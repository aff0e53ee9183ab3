import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser, trusting } from '../support/browser.js';
import { makeAuthority } from '../support/certificates.js';
import { prompt } from '../support/hub.js';
import { serveHub } from '../support/served-hub.js';
import { wholePage } from '../support/whole-page.js';
import { liveSessions } from '../../src/discovery/discovery.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const mainScript = resolve('dist/main.js');
const folder = temporaryFolder();
const stateDir = join(folder, 'state');
const workspace = join(folder, 'workspace');
mkdirSync(workspace);
const env = { ...process.env, COSESSION_STATE_DIR: stateDir, HOME: folder };

/** The built program without a terminal, as in a container. */
const flags = ['--demo', '--a2a-port', '0', '--tls', 'self-signed'];
let output = '';
const start = () => spawn(process.execPath, [mainScript, ...flags], { cwd: workspace, env });
let program: ReturnType<typeof start> | undefined;
beforeAll(async () => {
  program = start();
  program.stdout.on('data', (data: Buffer) => (output += data.toString()));
  await until(() => liveSessions(stateDir)[0]);
});
afterAll(() => void program?.kill());

const cosession = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [mainScript, ...args], { cwd: workspace, env })).stdout;

test('the endpoint says its fingerprint, and our own commands find it and trust only it', async () => {
  const [entry] = liveSessions(stateDir);
  expect(entry?.url).toMatch(/^https:/);
  await until(() => output.includes('certificate SHA-256 '));
  expect(output).toMatch(/A2A endpoint on https:\S+ \(WebSocket wss:\S+\);.* certificate SHA-256 (?:[0-9A-F]{2}:){31}/);
  expect(await cosession('ls')).toContain(entry?.url);
  expect(await cosession('send', 'hello')).toContain('demo model of Cosession');
  expect(await cosession('send', entry?.url ?? '', 'hello')).toContain('demo model of Cosession');
});

test('commands reach a server with a self-signed certificate once they know it', async () => {
  const flags = ['serve', '--demo', '--port', '0', '--tls', 'self-signed'];
  const server = spawn(process.execPath, [mainScript, ...flags], { cwd: workspace, env });
  onTestFinished(() => void server.kill());
  let log = '';
  server.stdout.on('data', (data: Buffer) => (log += data.toString()));
  const url = (await until(() => /"url":"(https:[^"]+)"/.exec(log)))[1] ?? '';
  const run = promisify(execFile);
  const send = (more: NodeJS.ProcessEnv) =>
    run(process.execPath, [mainScript, 'send', '--new', '--session', url, 'hello'], {
      cwd: workspace,
      env: { ...env, ...more },
    });
  await expect(send({})).rejects.toThrow(/the certificate is not trusted; .*COSESSION_CERTIFICATE/);
  const COSESSION_CERTIFICATE = join(stateDir, 'tls', 'self-signed.pem');
  expect((await send({ COSESSION_CERTIFICATE })).stdout).toContain('demo model of Cosession');
  expect(await cosession('share', '--print-link')).toMatch(/^https:.*#pair=/);
});

test.each(['self-signed', 'of an authority'] as const)('the page works with a certificate: %s', async (kind) => {
  const pair = makeAuthority().issue('/CN=localhost');
  const given = kind === 'self-signed' ? undefined : await serveHub({}, { ...wholePage(), ...filesOf(pair) });
  given?.session.submit(prompt('hello'));
  given?.engine.say('a script, not a language model');
  const [entry] = liveSessions(stateDir);
  const browser = await startBrowser(trusting(given ? pair.cert : (entry?.certificate ?? '')));
  const page = await browser.newPage();
  await page.goto(given ? given.server.url : (await cosession('share', '--role', 'work', '--print-link')).trim());
  await page.fill('.composer textarea', 'hello');
  await page.press('.composer textarea', 'Enter');
  await page.locator('.thread').getByText('a script, not a language model').first().waitFor();
  expect(await page.evaluate('isSecureContext')).toBe(true);
  const scope = await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.scope)');
  expect(scope).toBe(given ? given.server.url : entry?.url);
  // Bound to the host by its name, so that no other host can set it.
  for (const { name } of await page.context().cookies()) expect(name).toMatch(/^__Host-cosession-\d+$/);
  await browser.close();
  await given?.stop();
});

function filesOf({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  return { tlsCert: certFile, tlsKey: keyFile };
}
