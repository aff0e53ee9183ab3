import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openPlace, type Place } from './place.js';
import { artifactOf, eventOf, taskOf } from './samples.js';

const appendForever = fileURLToPath(new URL('./append-forever.ts', import.meta.url));

/** What a store must still know after its process ended, well or badly. */
export function durabilityContract(newPlace: () => Promise<Place>): void {
  describe('lasts', () => {
    test('everything is there when the store is opened again', async () => {
      const place = await newPlace();
      const before = await openPlace(place);
      await before.saveTask(taskOf('t'));
      await before.saveCheckpoint('t', { turn: 0, history: ['a'] });
      await before.saveCheckpoint('t', { turn: 1, kept: 1, history: ['b'] });
      await before.saveArtifact('t', artifactOf('a', 2), Buffer.from([0, 255]));
      // Closing waits for what was asked for before.
      const last = Promise.all([before.append(eventOf('t', 1)), before.append(eventOf('t', 2))]);
      await before.close();
      await last;

      const after = await openPlace(place);
      expect(await after.task('t')).toEqual(taskOf('t'));
      expect(await after.checkpoint('t')).toEqual({ turn: 1, history: ['a', 'b'] });
      expect(Buffer.from((await after.artifact('t', 'a')) ?? [])).toEqual(Buffer.from([0, 255]));
      expect(await after.read('t', 0, 10)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
      await after.append(eventOf('t', 3));
      expect(await after.read('t', 2, 10)).toEqual([eventOf('t', 3)]);
      await after.close();
    });

    test('a second server sees what the first has stored, and cannot write over its events', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openPlace(place), openPlace(place)]);
      await first.saveTask(taskOf('t'));
      await first.append(eventOf('t', 1));
      expect(await second.task('t')).toEqual(taskOf('t'));
      expect(await second.read('t', 0, 10)).toEqual([eventOf('t', 1)]);
      await second.append(eventOf('t', 2));
      // Also what comes in the same moment: a log with a hole would tell a wrong story.
      const late = [{ ...eventOf('t', 2), at: 'another time' }, eventOf('t', 3)].map((event) => first.append(event));
      const records = [first.saveCheckpoint('u', 1), first.append(eventOf('t', 4))];
      for (const refused of [...late, records[1]])
        await expect(refused).rejects.toMatchObject({ code: 'task-elsewhere' });
      await records[0];
      // This server's copy of the session is over.
      await expect(first.append(eventOf('t', 5))).rejects.toThrow('was lost');
      expect(await second.read('t', 0, 10)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
      await Promise.all([first.close(), second.close()]);
    });

    test('a killed server loses nothing that it had acknowledged', async () => {
      const place = await newPlace();
      const acknowledged = await appendUntilKilled(place, 200);
      const store = await openPlace(place);
      for (const session of ['a', 'b']) {
        const seqs = (await store.read(session, 0, 1_000_000)).map(({ seq }) => seq);
        expect(acknowledged[session]).toBeGreaterThan(0);
        expect(seqs.length).toBeGreaterThanOrEqual(acknowledged[session] ?? Infinity);
        expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      }
      await store.close();
    });
  });
}

/** Runs a process that appends as fast as it can; kills it after `count` acknowledgements. The last seq of each session. */
async function appendUntilKilled({ url, env }: Place, count: number): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ['--import', 'tsx', appendForever, url], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const last: Record<string, number> = {};
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [session = '', seq] = line.split(' ');
    last[session] = Number(seq);
    if (++lines === count) child.kill('SIGKILL');
  }
  expect(lines, 'the process ended before it was killed').toBeGreaterThanOrEqual(count);
  return last;
}
