import type { Message, Task } from '@a2a-js/sdk';
import { isTurnEnd, type SessionEvent, type TurnState } from '../../../domain/events.js';
import { farewellOf } from '../../endpoint/farewell.js';
import type { TaskRecord } from '../tasks/task-book.js';
import { checkCursor, follow } from './follow.js';
import type { Reader } from './reader.js';
import type { StreamWriter } from './stream-writer.js';

/** A response that continues: the first event is a value, and the rest is written once the transport is ready. */
export type TaskStream<First extends Task | Message = Task | Message> = {
  readonly first: First;
  /** The cursor before the first event. It becomes that event's id. */
  readonly after: number;
  /** Writes the rest. Resolves when the stream is over or its reader has disconnected. */
  writeTo(writer: StreamWriter): Promise<void>;
};

export type TaskStreamOptions = {
  readonly task: TaskRecord;
  /** Events after this one are sent. */
  readonly after: number;
  readonly isExtended: boolean;
  /** The reader's name for the task's context. */
  readonly contextId: string;
  /** The first event of the stream. */
  readonly first: Task;
  /** Whether the stream ends at this state. */
  readonly isLast: (state: TurnState) => boolean;
  readonly reader: Reader;
};

/** The events of a task. Throws if the events after the cursor are no longer kept. */
export function openTaskStream(options: TaskStreamOptions): TaskStream<Task> {
  const { task, after, first } = options;
  checkCursor(task.session, after);
  // If none or only one of several questions was answered, the turn still waits, and this exchange ends with the question.
  const settled = options.isLast(task.state) ? { seq: task.lastSeq, state: task.state } : undefined;
  const isOver = settled !== undefined && after >= settled.seq && isTurnEnd(settled.state);
  return { first, after, writeTo: async (writer) => (isOver ? undefined : writeEvents(options, settled, writer)) };
}

/** A stream of one message. */
export function messageStream(first: Message): TaskStream<Message> {
  return { first, after: 0, writeTo: async () => {} };
}

type Settled = { readonly seq: number; readonly state: TurnState };

/** The last event of a turn whose events the store has lost. If the turn continues elsewhere, the reason is thrown. */
function lostTurn({ session, id }: TaskRecord): SessionEvent | undefined {
  const farewell = farewellOf(session, id);
  return farewell.type === 'turn' ? farewell : undefined;
}

async function writeEvents(
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
  const take = (event: SessionEvent): boolean => {
    if (event.turnId === task.id) {
      writer.add(event, { task, contextId, isExtended, previous });
      if (event.type === 'turn' && isLast(task.session.shown(event.state))) {
        writer.finish();
        return true;
      }
      previous = event;
    }
    if (!settled || event.seq < settled.seq) return false;
    endAsItIs(settled);
    return true;
  };
  const pause = (): void => writer.flush();
  await follow({ session: task.session, after, reader, take, pause, lastWord: () => lostTurn(task) });
}
