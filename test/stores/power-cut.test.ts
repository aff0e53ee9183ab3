import { spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const copiedDisk = pathToFileURL(resolve('test/support/copied-disk.js')).href;
const appendTurns = fileURLToPath(new URL('./append-turns.ts', import.meta.url));

/** Kills servers after they have acknowledged so many turns, and returns the last seq that they had. */
async function acknowledged(file: string, disk: string, taskId: string, turns: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--import', copiedDisk, '--import', 'tsx', appendTurns, `sqlite:${file}`, taskId],
    { env: { ...process.env, COPIED_DISK: disk }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let last = 0;
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++lines === turns) child.kill('SIGKILL');
  }
  return last;
}

const cases = ['kept', 'not the first', 'claimed again', 'by two, handed over', 'by two, taken over'].flatMap((task) =>
  [1, 2, 30].map((turns) => [task, turns] as const),
);

test.each(cases)('after a power cut everything acknowledged is there: %s, %i turns', async (taskId, turns) => {
  const [folder, disk] = [join(temporaryFolder(), 'server'), temporaryFolder()];
  const last = await acknowledged(join(folder, 'tasks.db'), disk, taskId, turns);
  // SQLite has moved nothing into the file itself yet: it does so after 500 commits.
  const after = join(temporaryFolder(), 'tasks.db');
  cpSync(join(folder, 'tasks.db'), after);
  const left = [
    [join(disk, 'server', 'tasks.db-wal'), `${after}-wal`],
    [join(disk, 'tasks.db-journals'), `${after}-journals`],
  ] as const;
  for (const [from, to] of left) if (existsSync(from)) cpSync(from, to, { recursive: true });

  const store = await openSqliteStore(after);
  const seqs = (await store.read(taskId, 0, 100_000)).map((event) => event.seq);
  expect(seqs.length).toBeGreaterThanOrEqual(last);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(await store.task(taskId)).toMatchObject({ id: taskId });
  // Somebody goes on with it.
  const holder = await store.holder(taskId);
  expect(await store.claim(taskId, holder?.server)).toBeGreaterThan(holder?.epoch ?? 0);
  await store.close();
});
