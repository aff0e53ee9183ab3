import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/stores/open.js';
import type { Store } from '../src/stores/store.js';
import { eventOf, taskOf } from '../test/stores/samples.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';

const count = 10_000;
const numbers = Array.from({ length: count }, (_, index) => index + 1);

export const stores: Bench = {
  name: 'stores',
  question: `What the SQLite store costs: ${count} events and ${count} tasks, each write waiting for the disk.`,
  target: 'a page of 50 tasks in less than 50 ms; the event loop never held up for long',
  async run() {
    const folder = temporaryFolder();
    const store = await openStore(`sqlite:${join(folder.path, 'tasks.db')}`, { stateDir: folder.path, env: {} });
    try {
      return [
        await measure('a burst of 10,000 events of one session', () =>
          Promise.all(numbers.map((seq) => store.append(eventOf('burst', seq)))),
        ),
        await measure('10,000 events of 100 sessions, each waiting for its last', () => inTurns(store)),
        await measure('one event', () => store.append(eventOf('one', 1))),
        await measure('10,000 events read back', () => store.read('burst', 0, count)),
        await measure('10,000 tasks saved', () =>
          Promise.all(numbers.map((minute) => store.saveTask(taskOf(`task-${minute}`, { minute })))),
        ),
        await measure('the first page of 50', () => store.tasks({ limit: 50 })),
        await measure('a page of one context', () => store.tasks({ limit: 50, contextId: 'context' })),
      ];
    } finally {
      await store.close();
      folder.remove();
    }
  },
};

function inTurns(store: Store): Promise<void[]> {
  const sessions = Array.from({ length: 100 }, (_, index) => `session-${index}`);
  return Promise.all(
    sessions.map(async (session) => {
      for (let seq = 1; seq <= count / sessions.length; seq++) await store.append(eventOf(session, seq));
    }),
  );
}

async function measure(what: string, work: () => Promise<unknown>): Promise<Row> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = now();
  await work();
  const took = now() - startedAt;
  // The monitor is a timer: it notices a stall only after the stall has ended.
  await sleep(5);
  delay.disable();
  return { what, ms: round(took), 'longest the event loop stood still, ms': round(delay.max / 1e6) };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
