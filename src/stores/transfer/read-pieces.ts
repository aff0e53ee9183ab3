import type { EventStore, Store, StoredTask, TaskQuery } from '../store.js';
import type { Piece } from './piece.js';

const pageSize = 100;
const eventsAtOnce = 500;

/** All tasks of the store. */
export async function* storedTasks(store: Store, query: Omit<TaskQuery, 'limit'> = {}): AsyncGenerator<StoredTask> {
  let page = await store.tasks({ ...query, limit: pageSize });
  yield* page.tasks;
  while (page.nextPageToken !== undefined) {
    page = await store.tasks({ ...query, limit: pageSize, pageToken: page.nextPageToken });
    yield* page.tasks;
  }
}

/**
 * Everything that the store keeps of a task. A server may be working on it meanwhile: the events are read last, so the result
 * is what a crash at some moment would have left, which every server can continue.
 */
export async function* readPieces(
  store: Store,
  task: StoredTask,
  toNotify: ReadonlySet<string>,
): AsyncGenerator<Piece> {
  const { id } = task;
  yield { type: 'task', task };
  const body = await store.checkpoint(id);
  if (body !== undefined) yield { type: 'checkpoint', body };
  const webhooks = await store.webhooks(id);
  if (webhooks !== undefined) yield { type: 'webhooks', webhooks: { areOpen: toNotify.has(id), body: webhooks } };
  for (const artifact of await store.artifacts(id)) {
    const content = await store.artifact(id, artifact.name);
    if (content) yield { type: 'artifact', artifact, content: Buffer.from(content).toString('base64') };
  }
  let count = 0;
  for await (const events of eventsOf(store, id)) {
    count += events.length;
    yield { type: 'events', events };
  }
  yield { type: 'end', events: count };
}

export async function* eventsOf(store: EventStore, id: string) {
  let after = 0;
  for (;;) {
    const events = await store.read(id, after, eventsAtOnce);
    const last = events.at(-1);
    if (!last) return;
    yield events;
    after = last.seq;
  }
}
