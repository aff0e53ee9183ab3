import type { StreamResponse, Task } from '@a2a-js/sdk';
import { AppError } from '../../domain/errors.js';
import { isTurnEnd, type SessionEvent, type TurnState } from '../../domain/events.js';
import { toldState } from '../../domain/turn.js';
import { toA2AError } from './a2a-error.js';
import { farewellOf } from '../farewell.js';
import type { Connection } from './connection.js';
import { checkCursor, followBatches } from './follow.js';
import type { TaskRecord } from './task-book.js';

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
};

/**
 * The events of a task. The first one goes through the SDK, which thereby answers the request and what is wrong with it;
 * the rest is written to the caller's connection directly.
 */
export async function* streamTask(
  options: TaskStreamOptions,
  connection: Connection | undefined,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { task, after, first } = options;
  try {
    checkCursor(task.session, after);
    if (connection) connection.seq = after;
  } catch (error) {
    throw toA2AError(error, connection?.transport);
  }
  // When one of several questions was answered, or none, the turn waits as before: this exchange ends with the question.
  const settled = options.isLast(task.state) ? { seq: task.lastSeq, state: task.state } : undefined;
  yield { payload: { $case: 'task', value: first } };
  if (settled && after >= settled.seq && isTurnEnd(settled.state)) return;
  try {
    await tell(options, settled, connection);
  } catch (error) {
    if (!connection?.writer?.fail) throw toA2AError(error, connection?.transport);
    connection.writer.fail(error);
  }
}

type Settled = { readonly seq: number; readonly state: TurnState };

/** What ends the stream of a turn whose words the store has lost; where the turn goes on elsewhere the reason is thrown. */
function lostTurn({ session, id }: TaskRecord): SessionEvent | undefined {
  const farewell = farewellOf(session, id);
  return farewell.type === 'turn' ? farewell : undefined;
}

async function tell(
  { task, after, isExtended, contextId, isLast }: TaskStreamOptions,
  settled: Settled | undefined,
  connection: Connection | undefined,
): Promise<void> {
  const writer = connection?.writer;
  if (!writer) throw new AppError('internal', 'the transport has not opened its stream');
  const endAsItIs = ({ seq, state }: Settled): void => {
    const { id: turnId, at, session } = task;
    const still = { type: 'turn', state, seq, at, sessionId: session.id, turnId } as const;
    writer.add(still, { task, contextId, isExtended, previous: undefined });
    writer.finish();
  };
  if (settled && after >= settled.seq) return endAsItIs(settled);
  let previous: SessionEvent | undefined;
  const batches = followBatches(task.session, after, connection, () => lostTurn(task));
  for await (const events of batches) {
    for (const event of events) {
      if (event.turnId === task.id) {
        writer.add(event, { task, contextId, isExtended, previous });
        if (event.type === 'turn' && isLast(toldState(event.state, task.session.turnEnd))) return writer.finish();
        previous = event;
      }
      if (settled && event.seq >= settled.seq) return endAsItIs(settled);
      const waiting = connection.drained();
      if (waiting) await waiting;
    }
    writer.flush();
  }
}
