import type { Store, StoredTask, TaskQuery } from '../stores/store.js';

/** The tasks on all pages; `limit` is the size of one. */
export async function* allTasks(store: Store, query: TaskQuery): AsyncGenerator<StoredTask> {
  let page = await store.tasks(query);
  yield* page.tasks;
  while (page.nextPageToken !== undefined) {
    page = await store.tasks({ ...query, pageToken: page.nextPageToken });
    yield* page.tasks;
  }
}
