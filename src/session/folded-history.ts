import { weightOf } from '../domain/event-weight.js';
import type { SessionEvent } from '../domain/events.js';
import type { SessionReader } from './session-reader.js';
import type { Snapshot } from './snapshot.js';

/** Part of the history of a session: whole replies instead of their pieces, and the last state of each call and turn. */
export type FoldedHistory = {
  readonly events: readonly SessionEvent[];
  /** The first event that it covers. The part before this one is older. */
  readonly oldest: number;
  /** The last event that it covers: the cursor to continue from. */
  readonly seq: number;
};

type Source = Pick<SessionReader, 'history' | 'stored'> & { readonly snapshot: Pick<Snapshot, 'seq'> };

const atATime = 100;
/** A part covers at most about this much. A longer turn comes in several parts. */
const mostEvents = 20_000;
const mostWeight = 8 * 1024 * 1024;

/** The newest `turns` turns whose events come before the event `before`. */
export async function foldedHistory(
  session: Source,
  { before = Infinity, turns }: { readonly before?: number; readonly turns: number },
): Promise<FoldedHistory> {
  await session.stored();
  const seq = Math.max(0, Math.min(before - 1, session.snapshot.seq));
  const pages: (readonly SessionEvent[])[] = [];
  let [oldest, starts, weight] = [seq + 1, 0, 0];
  while (starts < turns && weight < mostWeight && seq - oldest < mostEvents) {
    const end = oldest;
    const found = await session.history(atATime, Math.max(0, end - 1 - atATime));
    const page = found.filter((event) => event.seq < end);
    const [first] = page;
    if (!first) break;
    pages.unshift(page);
    oldest = first.seq;
    starts += page.filter(isStart).length;
    for (const event of page) weight += weightOf(event);
  }
  const events = newestTurns(pages.flat(), turns);
  return { events: fold(events), oldest: events[0]?.seq ?? oldest, seq };
}

/** A turn starts with its prompt. While the prompt waits in the queue, it belongs to no turn. */
function isStart(event: SessionEvent): boolean {
  return event.type === 'prompt' && event.queued === undefined;
}

function newestTurns(events: readonly SessionEvent[], turns: number): readonly SessionEvent[] {
  const starts = events.flatMap((event, index) => (isStart(event) ? [index] : []));
  return events.slice(starts.at(-turns) ?? 0);
}

/** Text that is longer is not joined further: clients get no larger event than elsewhere. */
const joinedLength = 512 * 1024;

/** Later events replace earlier ones about the same thing. Pure. */
export function fold(events: readonly SessionEvent[]): SessionEvent[] {
  const folded: (SessionEvent | undefined)[] = [];
  const places = new Map<string, number>();
  for (const event of events) {
    const last = folded.at(-1);
    if (
      event.type === 'text' &&
      last?.type === 'text' &&
      last.turnId === event.turnId &&
      last.text.length < joinedLength
    ) {
      folded[folded.length - 1] = { ...event, at: last.at, text: last.text + event.text };
      continue;
    }
    const subject = subjectOf(event);
    const place = subject === undefined ? undefined : places.get(subject);
    // A call stays where it began. The state of a turn and a prompt that had to wait move to where they are now.
    if (place !== undefined && event.type === 'tool') {
      folded[place] = event;
      continue;
    }
    if (place !== undefined) folded[place] = undefined;
    if (subject !== undefined) places.set(subject, folded.length);
    folded.push(event);
  }
  return folded.filter((event) => event !== undefined);
}

/** What the event is about, if a later event about the same replaces it. */
function subjectOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool':
      return `call ${event.turnId} ${event.call.id}`;
    case 'turn':
    case 'prompt':
      return `${event.type} ${event.turnId}`;
    default:
      return undefined;
  }
}
