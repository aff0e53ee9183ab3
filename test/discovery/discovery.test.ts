import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { announce, liveSessions } from '../../src/discovery/discovery.js';
import { outputOf } from '../support/command.js';
import { serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let stateDir: string;
beforeEach(() => {
  stateDir = temporaryFolder();
});

const entry = {
  port: 1,
  url: 'http://127.0.0.1:1/',
  pid: process.pid,
  sessionId: 's',
  workspace: '/w',
  token: 't',
  startedAt: '2026-01-01',
};
const sessions = (): string => join(stateDir, 'sessions');

test('only the owner can read the discovery file, and the undo removes it', () => {
  const withdraw = announce(stateDir, entry);
  const file = join(sessions(), `${process.pid}.json`);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(sessions()).mode & 0o777).toString(8)).toBe('700');
  expect(liveSessions(stateDir)).toEqual([entry]);
  withdraw();
  expect(existsSync(file)).toBe(false);
});

test('files of programs that are gone and broken files are cleaned up', () => {
  announce(stateDir, { ...entry, pid: 2 ** 22 - 1 });
  writeFileSync(join(sessions(), 'broken.json'), '{');
  expect(liveSessions(stateDir)).toEqual([]);
  expect(readdirSync(sessions())).toEqual([]);
});

test('ls lists what really answers, in columns or as JSON', async () => {
  expect(await outputOf('ls', [], { stateDir })).toContain('No live sessions');
  const hub = await serveHub();
  announce(stateDir, { ...entry, port: hub.server.port, url: hub.server.url, sessionId: 'session-1', token });
  expect(await outputOf('ls', [], { stateDir })).toMatch(
    /URL +PID +SESSION +WORKSPACE\nhttp:\/\/127\.0\.0\.1:\d+\/ +\d+ +session-1 +\/w/,
  );
  expect(JSON.parse(await outputOf('ls', ['--json'], { stateDir }))).toMatchObject([{ sessionId: 'session-1', token }]);
  await hub.stop();
  expect(await outputOf('ls', [], { stateDir })).toContain('No live sessions');
});
