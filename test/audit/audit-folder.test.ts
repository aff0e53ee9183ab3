import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import type { AuditEntry, AuditQuery } from '../../src/domain/audit.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let stateDir: string;
beforeEach(() => {
  stateDir = temporaryFolder();
});

function prompt(at: string, principal = 'token:ada', taskId = 'one'): AuditEntry {
  return { at, by: { surface: 'a2a', principal }, action: 'prompt', taskId, characters: 3 };
}

async function read(query: AuditQuery = {}): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of new AuditFolder(stateDir).read(query)) entries.push(entry);
  return entries;
}

test('entries are appended to one private file per day, in order', async () => {
  const first = new AuditFolder(stateDir, { days: 0 });
  const second = new AuditFolder(stateDir, { days: 0 });
  const entries = ['2026-01-02T23:59:59.999Z', '2026-01-03T00:00:00.000Z'].map((at) => prompt(at));
  for (const entry of entries) first.add(entry);
  await first.flush();
  const late = prompt('2026-01-03T00:00:01.000Z');
  second.add(late);
  await second.flush();
  expect(await read()).toEqual([...entries, late]);
  const folder = join(stateDir, 'audit');
  expect(readdirSync(folder).toSorted()).toEqual(['2026-01-02.jsonl', '2026-01-03.jsonl']);
  expect(statSync(join(folder, '2026-01-03.jsonl')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('queries filter by time, action, principal and task', async () => {
  const audit = new AuditFolder(stateDir, { days: 0 });
  const [early, bob, two] = [
    prompt('2026-01-01T10:00:00.000Z'),
    prompt('2026-01-02T10:00:00.000Z', 'token:bob'),
    prompt('2026-01-03T10:00:00.000Z', 'token:ada', 'two'),
  ];
  const gone: AuditEntry = {
    at: '2026-01-03T11:00:00.000Z',
    by: { principal: 'owner' },
    action: 'delete',
    taskId: 'two',
  };
  for (const entry of [early, bob, two, gone]) audit.add(entry);
  await audit.flush();
  expect(await read({ since: '2026-01-02T10:00:00.000Z' })).toEqual([bob, two, gone]);
  expect(await read({ until: '2026-01-02T10:00:00.000Z' })).toEqual([early]);
  expect(await read({ principal: 'token:bob' })).toEqual([bob]);
  expect(await read({ taskId: 'two', action: 'delete' })).toEqual([gone]);
});

test('days that are older than the retention are deleted, other files are not', async () => {
  const folder = join(stateDir, 'audit');
  mkdirSync(folder);
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  for (const name of [`${daysAgo(31)}.jsonl`, `${daysAgo(29)}.jsonl`, 'notes.txt'])
    writeFileSync(join(folder, name), '');
  const audit = new AuditFolder(stateDir, { days: 30 });
  audit.add(prompt(new Date().toISOString()));
  await audit.flush();
  expect(readdirSync(folder).toSorted()).toEqual(
    [`${daysAgo(29)}.jsonl`, `${daysAgo(0)}.jsonl`, 'notes.txt'].toSorted(),
  );
});

test('a line that a power cut has cut does not hide the others', async () => {
  const audit = new AuditFolder(stateDir, { days: 0 });
  const entry = prompt('2026-01-01T10:00:00.000Z');
  audit.add(entry);
  await audit.flush();
  appendFileSync(join(stateDir, 'audit', '2026-01-01.jsonl'), '{"at":"2026\n');
  audit.add(entry);
  await audit.flush();
  expect(await read()).toEqual([entry, entry]);
});

test('a folder that takes nothing is reported, and holds up nobody', async () => {
  writeFileSync(join(stateDir, 'audit'), 'not a folder');
  const errors: unknown[] = [];
  const audit = new AuditFolder(stateDir, { onError: (error) => errors.push(error) });
  for (let count = 0; count < 3; count++) audit.add(prompt('2026-01-01T10:00:00.000Z'));
  await audit.flush();
  expect(errors).toEqual([
    expect.objectContaining({
      message: '3 entries of the audit log were lost',
      cause: expect.objectContaining({ code: 'EEXIST' }) as Error,
    }),
  ]);
  expect(readFileSync(join(stateDir, 'audit'), 'utf8')).toBe('not a folder');
});
