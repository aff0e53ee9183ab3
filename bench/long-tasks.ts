import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EventBody, SessionEvent } from '../src/domain/events.js';
import { loadEvents } from '../src/session/load-events.js';
import { readSession } from '../src/tasks/stored-session.js';
import { toSummary } from '../src/session/summary.js';
import { openStore } from '../src/stores/open.js';
import type { Store } from '../src/stores/store.js';
import { taskOf } from '../test/stores/samples.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { median } from './support/statistics.js';

const lengths = [1000, 10_000, 100_000, 1_000_000];
const atOnce = 1000;
const eventsPerTurn = 100;
const tries = 7;

export const longTasks: Bench = {
  name: 'long-tasks',
  question: `A task with up to ${lengths.at(-1)} events in SQLite is opened or read: how long does it take, and who waits meanwhile?`,
  target: 'the same for every length, under 100 ms, and nobody else is held up for more than 20 ms',
  async run({ say }) {
    const folder = temporaryFolder();
    const store = await openStore(`sqlite:${join(folder.path, 'tasks.db')}`, { stateDir: folder.path, env: {} });
    const rows: Row[] = [];
    try {
      for (const length of lengths) {
        const id = `task-${length}`;
        say(`a task of ${length} events`);
        await fill(store, id, length);
        rows.push(await measure(store, id, length));
      }
      return rows;
    } finally {
      await store.close();
      folder.remove();
    }
  },
};

async function fill(store: Store, id: string, length: number): Promise<void> {
  await store.saveTask(taskOf(id));
  for (let done = 0; done < length; done += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => store.append(eventOf(id, done + index))));
}

/** Each turn is a prompt and many pieces of text. */
function eventOf(sessionId: string, index: number): SessionEvent {
  const turn = Math.floor(index / eventsPerTurn);
  const place = index % eventsPerTurn;
  const stamp = { seq: index + 1, at: new Date(index).toISOString(), sessionId, turnId: `${sessionId}.${turn}` };
  return { ...stamp, ...bodyAt(place, turn) };
}

function bodyAt(place: number, turn: number): EventBody {
  if (place === 0) return { type: 'prompt', text: 'go', origin: { surface: 'a2a' }, messageId: `message-${turn}` };
  if (place === 1) return { type: 'turn', state: 'working' };
  if (place === eventsPerTurn - 1) return { type: 'turn', state: 'completed' };
  return { type: 'text', text: 'a piece of a reply of forty characters.. ' };
}

async function measure(store: Store, id: string, events: number): Promise<Row> {
  const all = await timed(() => loadEvents(store, id, 'completed'));
  await store.saveSummary(id, toSummary(all.value.recall) ?? null);
  const opened = await repeated(() => loadEvents(store, id, 'completed'));
  const read = await repeated(() => readSession(store, taskOf(id), 'completed'));
  return {
    events,
    'opened in ms': opened.ms,
    'longest block ms': opened.block,
    'read in ms': read.ms,
    'without a summary ms': all.ms,
  };
}

async function repeated(work: () => Promise<unknown>): Promise<{ ms: number; block: number }> {
  const runs = [];
  for (let i = 0; i < tries; i++) runs.push(await timed(work));
  return { ms: median(runs.map(({ ms }) => ms)), block: median(runs.map(({ block }) => block)) };
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number; block: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = now();
  const value = await work();
  const ms = now() - startedAt;
  delay.disable();
  return { value, ms, block: delay.max / 1e6 };
}
