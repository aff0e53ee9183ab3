import type { Store, StoredTask } from '../store.js';
import { eventsOf, storedTasks } from './read-pieces.js';

export type Checked = { readonly tasks: number; readonly events: number; readonly problems: readonly string[] };

/** Reads everything in the store and reports what cannot be read or does not fit together. */
export async function checkStore(store: Store, onProgress: (checked: Checked) => void): Promise<Checked> {
  let checked: Checked = { tasks: 0, events: 0, problems: [] };
  for await (const task of storedTasks(store)) {
    const { events, problems } = await checkTask(store, task);
    const { id } = task;
    checked = {
      tasks: checked.tasks + 1,
      events: checked.events + events,
      problems: [...checked.problems, ...problems.map((problem) => `task "${id}": ${problem}`)],
    };
    onProgress(checked);
  }
  return checked;
}

async function checkTask(store: Store, { id }: StoredTask): Promise<{ events: number; problems: readonly string[] }> {
  const problems: string[] = [];
  const readable = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      problems.push(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  let last = 0;
  await readable('the events', async () => {
    for await (const events of eventsOf(store, id))
      for (const { seq } of events) {
        if (seq !== last + 1) problems.push(`the events ${last + 1} to ${seq - 1} are missing`);
        last = seq;
      }
  });
  await readable('the checkpoint', () => store.checkpoint(id));
  await readable('the summary', () => store.summary(id));
  await readable('the webhooks', () => store.webhooks(id));
  for (const { name, size } of (await readable('the artifacts', () => store.artifacts(id))) ?? []) {
    const content = await readable(`the artifact ${name}`, () => store.artifact(id, name));
    if (content?.byteLength !== size)
      problems.push(`the artifact ${name} has ${content?.byteLength ?? 0} of ${size} bytes`);
  }
  return { events: last, problems };
}
