import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
