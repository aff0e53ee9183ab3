import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadEvents } from '../src/session/load-events.js';
import { openStore } from '../src/stores/open.js';
import type { Store } from '../src/stores/store.js';
import { eventOf } from '../test/stores/samples.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';

const lengths = [10_000, 500_000, 1_000_000];
const atOnce = 10_000;

export const longTasks: Bench = {
  name: 'long-tasks',
  question: `A task with up to ${lengths.at(-1)} events in SQLite is opened: how long does it take, and who waits meanwhile?`,
  target: 'nobody else is held up for more than 100 ms',
  async run() {
    const folder = temporaryFolder();
    const store = await openStore(`sqlite:${join(folder.path, 'tasks.db')}`, { stateDir: folder.path, env: {} });
    const rows: Row[] = [];
    try {
      for (const length of lengths) {
        await fill(store, `task-${length}`, length);
        rows.push(await open(store, `task-${length}`, length));
      }
      return rows;
    } finally {
      await store.close();
      folder.remove();
    }
  },
};

async function fill(store: Store, id: string, length: number): Promise<void> {
  for (let done = 0; done < length; done += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => store.append(eventOf(id, done + index + 1))));
}

async function open(store: Store, id: string, events: number): Promise<Row> {
  const before = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = now();
  await loadEvents(store, id, 'completed');
  const ms = now() - startedAt;
  delay.disable();
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  return { events, 'opened in ms': ms, 'longest block ms': delay.max / 1e6, 'process grew by MB': grown };
}
