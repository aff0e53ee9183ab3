import type { TaskRow } from '../../client/client.js';
import { ApiError, get, open } from '../api.js';
import { readEvents } from './event-lines.js';

export type Rows = ReadonlyMap<string, TaskRow>;

type Page = { readonly tasks: readonly TaskRow[]; readonly nextPageToken?: string };

/** The newest sessions that are listed; older ones are found through their own links. */
const mostRows = 1000;
const firstDelayMs = 500;
const longestDelayMs = 10_000;

export type Listener = {
  readonly onRows: (rows: Rows) => void;
  readonly onLive: (isLive: boolean) => void;
  /** The server does not know this browser any more. */
  readonly onUnpaired: () => void;
};

/** Follows the list of sessions until the signal aborts: reads it once, then what changes. After a break it starts over. */
export async function followRows({ onRows, onLive, onUnpaired }: Listener, signal: AbortSignal): Promise<void> {
  for (let delay = firstDelayMs; !signal.aborted; delay = Math.min(longestDelayMs, delay * 2)) {
    try {
      // The stream first: what changes while the list is read is not missed.
      const stream = await open('tasks/events', signal);
      const rows = new Map<string, TaskRow>();
      for (const row of await readAll()) rows.set(row.id, row);
      onRows(new Map(rows));
      onLive(true);
      delay = firstDelayMs;
      for await (const { name, data } of readEvents(stream)) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends come from the same release
        change(rows, name, JSON.parse(data) as TaskRow);
        onRows(new Map(rows));
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return onUnpaired();
    }
    if (signal.aborted) return undefined;
    onLive(false);
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  return undefined;
}

async function readAll(): Promise<readonly TaskRow[]> {
  const rows: TaskRow[] = [];
  let token = '';
  do {
    const page = await get<Page>(`tasks?limit=100${token}`);
    rows.push(...page.tasks);
    token = page.nextPageToken === undefined ? '' : `&pageToken=${encodeURIComponent(page.nextPageToken)}`;
  } while (token !== '' && rows.length < mostRows);
  return rows;
}

/** Of a removed task, only the id is there. */
function change(rows: Map<string, TaskRow>, name: string, data: TaskRow): void {
  if (name === 'removed') rows.delete(data.id);
  else if (name === 'row') rows.set(data.id, data);
}
