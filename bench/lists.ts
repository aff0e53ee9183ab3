import { join } from 'node:path';
import { openStore } from '../src/stores/open.js';
import type { Store } from '../src/stores/store.js';
import { taskOf } from '../test/stores/samples.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { percentileOf } from './support/statistics.js';

const sizes = [100, 1000, 10_000, 100_000];
const atOnce = 500;
const tries = 15;
/** Few tasks are in this state, however many there are. */
const rare = 'working';
const rareTasks = 20;

export const lists: Bench = {
  name: 'lists',
  question: `Milliseconds of the event loop for a page of 50 of up to ${sizes.at(-1)} tasks of one turn each in SQLite, with the total.`,
  target: 'under 10 ms at every size',
  async run({ say }) {
    const folder = temporaryFolder();
    const store = await openStore(`sqlite:${join(folder.path, 'tasks.db')}`, { stateDir: folder.path, env: {} });
    const rows: Row[] = [];
    try {
      let filled = 0;
      for (const size of sizes) {
        say(`${size} tasks`);
        for (; filled < size; filled += atOnce) await fill(store, filled, Math.min(filled + atOnce, size));
        filled = size;
        rows.push(await measure(store, size));
      }
      return rows;
    } finally {
      await store.close();
      folder.remove();
    }
  },
};

async function fill(store: Store, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await Promise.all(
    numbers.flatMap((number) => {
      const [id, state] = [`task-${number}`, number < rareTasks ? rare : 'completed'] as const;
      const task = { ...taskOf(id, { minute: number }), state, owner: `owner-${number % 10}` };
      const event = { seq: 1, at: task.updatedAt, sessionId: id, turnId: `${id}.1`, type: 'turn', state } as const;
      return [store.saveTask(task), store.append(event)];
    }),
  );
}

async function measure(store: Store, size: number): Promise<Row> {
  const first = await store.tasks({ limit: 50 });
  const next = { limit: 50, ...(first.nextPageToken === undefined ? {} : { pageToken: first.nextPageToken }) };
  return {
    tasks: size,
    'first page': await typicalMs(() => store.tasks({ limit: 50 })),
    'next page': await typicalMs(() => store.tasks(next)),
    'a rare state': await typicalMs(() => store.tasks({ limit: 50, state: rare })),
    'one owner': await typicalMs(() => store.tasks({ limit: 50, owner: 'owner-3' })),
    'A2A, all': await typicalMs(() => store.turns({ limit: 50 })),
    'A2A, a rare state': await typicalMs(() => store.turns({ limit: 50, states: [rare] })),
    'A2A, one owner': await typicalMs(() => store.turns({ limit: 50, owner: 'owner-3' })),
  };
}

async function typicalMs(list: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < tries; round++) {
    const startedAt = now();
    await list();
    times.push(now() - startedAt);
  }
  return percentileOf(times, 0.5);
}
