import { CosessionError, fromWireError } from './transport/cosession-error.js';
import { type Endpoint, headersOf, httpUrl } from './transport/endpoint.js';
import { toRecord } from './transport/replies.js';
import type { LoggedEvent } from './wire-event.js';

/** Part of the conversation: whole replies instead of their pieces, and each tool call and turn in its last state. */
export type History = {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** The first event that it covers. `history({ before: oldest })` has the part before; it is empty if there is none. */
  readonly oldest: number;
  /** The last event that it covers. */
  readonly seq: number;
};

export type HistoryOptions = {
  /** Only what happened before the event with this `seq`. */
  readonly before?: number;
  /** How many turns, up to 200; default 30. */
  readonly turns?: number;
};

export async function fetchHistory(
  endpoint: Endpoint,
  taskId: string,
  { before, turns = 30 }: HistoryOptions,
  signal: AbortSignal,
): Promise<History> {
  const url = httpUrl(endpoint.url, `tasks/${encodeURIComponent(taskId)}/history?turns=${turns}`);
  if (before !== undefined) url.searchParams.set('before', String(before));
  const response = await again(() => endpoint.fetch(url, { headers: headersOf(endpoint), signal }), signal);
  const body: unknown = await response.json().catch(() => undefined);
  if (isHistory(body)) return body;
  const { error } = toRecord(body);
  if (error !== undefined) throw fromWireError({ message: toRecord(error)['message'], data: error });
  throw new CosessionError('cannot-connect', `${url.href} answered with status ${response.status} and no history`);
}

const firstDelayMs = 200;
const longestDelayMs = 5000;

/** Tries until there is an answer, as the connection does. */
async function again<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let delay = firstDelayMs; ; delay = Math.min(longestDelayMs, delay * 2)) {
    try {
      return await attempt();
    } catch {
      await sleep(delay, signal);
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new CosessionError('closed', 'the client was closed'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** We trust the server for the fields of the events. */
function isHistory(body: unknown): body is History {
  const { events, oldest, seq } = toRecord(body);
  return Array.isArray(events) && typeof oldest === 'number' && typeof seq === 'number';
}
