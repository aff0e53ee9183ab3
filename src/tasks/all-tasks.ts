import type { StoredTask, TaskPage, TaskQuery } from '../stores/store.js';

/** The tasks on all pages; `limit` is the page size. */
export async function* allTasks(
  list: (query: TaskQuery) => Promise<TaskPage>,
  query: TaskQuery,
): AsyncGenerator<StoredTask> {
  let page = await list(query);
  yield* page.tasks;
  while (page.nextPageToken !== undefined) {
    page = await list({ ...query, pageToken: page.nextPageToken });
    yield* page.tasks;
  }
}
