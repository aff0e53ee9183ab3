// Stores turns without end, and prints what the store has acknowledged that is no piece of a reply. Its parent kills it.
import { writeSync } from 'node:fs';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { eventOf, taskOf } from './samples.js';

const [, , url = '', taskId = ''] = process.argv;
const open = (): Promise<Store> => openStore(url, { stateDir: '/nowhere', env: process.env });
const one = await open();
const two = taskId.startsWith('by two') ? await open() : one;
let seq = 0;

async function claim(store: Store): Promise<void> {
  await store.claim(taskId);
  await store.saveTask(taskOf(taskId, { metadata: { seq } }));
}

async function turn(store: Store): Promise<void> {
  const append = (type: 'piece' | 'state'): Promise<void> => {
    const event = eventOf(taskId, ++seq);
    return store.append(type === 'piece' ? event : { ...event, type: 'turn', state: 'working' });
  };
  await append('piece');
  await append('piece');
  const checkpoint = store.saveCheckpoint(taskId, { seq: seq + 1 });
  await append('state');
  writeSync(1, `${seq}\n`);
  await checkpoint;
}

/** What one server does with its task before the next turn. */
const between: Record<string, (count: number) => Promise<Store>> = {
  async kept() {
    return one;
  },
  async 'claimed again'() {
    await one.release(taskId);
    await claim(one);
    return one;
  },
  async 'by two, handed over'(count) {
    const [from, to] = count % 2 === 0 ? [two, one] : [one, two];
    await from.release(taskId, to.server);
    await claim(to);
    return to;
  },
  async 'by two, taken over'(count) {
    const [from, to] = count % 2 === 0 ? [two, one] : [one, two];
    await to.claim(taskId, from.server);
    return to;
  },
};

if (taskId === 'not the first') {
  await one.claim('first');
  await one.append({ ...eventOf('first', 1), type: 'turn', state: 'working' });
}
await claim(one);
for (let count = 0; ; count++) await turn(count === 0 ? one : ((await between[taskId]?.(count)) ?? one));
