import type { Message, Task } from '@a2a-js/sdk';
import { isTurnEnd, type SessionEvent, type TurnState } from '../../../domain/events.js';
import { toldState } from '../../../domain/turn.js';
import { farewellOf } from '../../endpoint/farewell.js';
import type { TaskRecord } from '../tasks/task-book.js';
import { checkCursor, followBatches } from './follow.js';
import type { Reader } from './reader.js';
import type { StreamWriter } from './stream-writer.js';

/** An answer that goes on: what it begins with is a value, and what follows is written when the transport is ready for it. */
export type TaskStream<First extends Task | Message = Task | Message> = {
  readonly first: First;
  /** What the first event comes after; becomes its id. */
  readonly after: number;
  /** Writes all that follows. Resolves when the stream is over or its reader is gone. */
  writeTo(writer: StreamWriter): Promise<void>;
};

export type TaskStreamOptions = {
  readonly task: TaskRecord;
  /** Events after this one are told. */
  readonly after: number;
  readonly isExtended: boolean;
  /** What the reader calls the task's context. */
  readonly contextId: string;
  /** What the stream begins with. */
  readonly first: Task;
  /** The states at which it ends. */
  readonly isLast: (state: TurnState) => boolean;
  readonly reader: Reader;
};

/** The events of a task. Throws when the events after the cursor are not kept any more. */
export function openTaskStream(options: TaskStreamOptions): TaskStream<Task> {
  const { task, after, first } = options;
  checkCursor(task.session, after);
  // When one of several questions was answered, or none, the turn waits as before: this exchange ends with the question.
  const settled = options.isLast(task.state) ? { seq: task.lastSeq, state: task.state } : undefined;
  const isOver = settled !== undefined && after >= settled.seq && isTurnEnd(settled.state);
  return { first, after, writeTo: async (writer) => (isOver ? undefined : tell(options, settled, writer)) };
}

/** A stream of one message. */
export function messageStream(first: Message): TaskStream<Message> {
  return { first, after: 0, writeTo: async () => {} };
}

type Settled = { readonly seq: number; readonly state: TurnState };

/** What ends the stream of a turn whose words the store has lost; where the turn goes on elsewhere the reason is thrown. */
function lostTurn({ session, id }: TaskRecord): SessionEvent | undefined {
  const farewell = farewellOf(session, id);
  return farewell.type === 'turn' ? farewell : undefined;
}

async function tell(
  { task, after, isExtended, contextId, isLast, reader }: TaskStreamOptions,
  settled: Settled | undefined,
  writer: StreamWriter,
): Promise<void> {
  const endAsItIs = ({ seq, state }: Settled): void => {
    const { id: turnId, at, session } = task;
    const still = { type: 'turn', state, seq, at, sessionId: session.id, turnId } as const;
    writer.add(still, { task, contextId, isExtended, previous: undefined });
    writer.finish();
  };
  if (settled && after >= settled.seq) return endAsItIs(settled);
  let previous: SessionEvent | undefined;
  for await (const events of followBatches(task.session, after, reader, () => lostTurn(task))) {
    for (const event of events) {
      if (event.turnId === task.id) {
        writer.add(event, { task, contextId, isExtended, previous });
        if (event.type === 'turn' && isLast(toldState(event.state, task.session.turnEnd))) return writer.finish();
        previous = event;
      }
      if (settled && event.seq >= settled.seq) return endAsItIs(settled);
      const waiting = reader.drained();
      if (waiting) await waiting;
    }
    writer.flush();
  }
}
