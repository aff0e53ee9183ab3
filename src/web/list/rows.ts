import type { TaskRow } from '../../client/client.js';
import { ApiError, get, openStream } from '../api.js';
import { onePerFrame } from '../story/one-per-frame.js';
import { readEvents } from './event-lines.js';

export type Rows = ReadonlyMap<string, TaskRow>;

type Page = { readonly tasks: readonly TaskRow[]; readonly nextPageToken?: string };

/** The newest sessions that are listed; older ones are found through their own links. */
const mostRows = 1000;
const firstDelayMs = 500;
const longestDelayMs = 10_000;

export type RowsListener = {
  readonly onRows: (rows: Rows) => void;
  readonly onLive: (isLive: boolean) => void;
  /** The server does not know this browser any more. */
  readonly onUnpaired: () => void;
};

/** Follows the list of sessions until the signal aborts: reads it once, then what changes. After a break it starts over. */
export async function followRows({ onRows, onLive, onUnpaired }: RowsListener, signal: AbortSignal): Promise<void> {
  const rows = new Map<string, TaskRow>();
  // A hundred changes in one moment are drawn once.
  const publish = onePerFrame(() => onRows(new Map(rows)));
  for (let delay = firstDelayMs; !signal.aborted; delay = Math.min(longestDelayMs, delay * 2)) {
    // A browser has few connections to one server: the one of a failed attempt must not stay open.
    const attempt = new Attempt(signal);
    try {
      // The stream first: what changes while the list is read is not missed.
      const stream = await openStream('tasks/events', attempt.signal);
      const all = await readAll();
      rows.clear();
      for (const row of all) rows.set(row.id, row);
      publish();
      onLive(true);
      delay = firstDelayMs;
      for await (const { name, data } of readEvents(stream, () => attempt.isAlive())) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends come from the same release
        change(rows, name, JSON.parse(data) as TaskRow);
        publish();
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return onUnpaired();
    } finally {
      attempt.end();
    }
    if (signal.aborted) return undefined;
    onLive(false);
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  return undefined;
}

/** The server sends something every four seconds. A connection that was silent for longer is dead, as after a laptop's sleep. */
const silenceMs = 15_000;

class Attempt {
  readonly #abort = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.isAlive();
  }

  isAlive(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }
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
