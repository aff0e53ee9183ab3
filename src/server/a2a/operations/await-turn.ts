import { isTurnEnd, type SessionEvent, type TurnState } from '../../../domain/events.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { follow } from '../streams/follow.js';
import { type Reader, readUntil } from '../streams/reader.js';
import type { TaskRecord } from '../tasks/task-book.js';

/** How long a cancel waits for the turn to end before it returns the task as it is. */
const cancelMs = 5000;

/** Resolves when the task waits for an answer, is over, or its reader has disconnected. */
export async function untilSettled(task: TaskRecord, reader: Reader): Promise<void> {
  if (isSettled(task.state)) await untilSent(task, reader);
  else await untilState(task, task.session.seq, isSettled, reader);
}

/** The task knows of an event in the tick it happens. Until the event is stored, a crash could undo it. */
async function untilSent({ session, lastSeq }: TaskRecord, reader: Reader): Promise<void> {
  if (session.seq >= lastSeq) return;
  await follow({ session, after: session.seq, reader, take: ({ seq }) => seq >= lastSeq });
}

/** Resolves when the turn is over, or after `cancelMs`, so the client does not wait too long. */
export function untilEnded(task: TaskRecord, after: number): Promise<void> {
  return untilState(task, after, isTurnEnd, readUntil(AbortSignal.timeout(cancelMs)));
}

async function untilState(
  { session, id }: TaskRecord,
  after: number,
  isMeant: (state: TurnState) => boolean,
  reader: Reader,
): Promise<void> {
  const take = (event: SessionEvent): boolean => event.turnId === id && event.type === 'turn' && isMeant(event.state);
  await follow({ session, after, reader, take });
}
