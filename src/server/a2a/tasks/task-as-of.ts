import type { Artifact, SessionEvent } from '../../../domain/events.js';
import { recordUntil, type TaskRecord } from './task-book.js';

/** The task with the artifacts it had after this event. A stream starts with it if later events follow. */
export async function taskAsOf(task: TaskRecord, seq: number): Promise<TaskRecord> {
  const { session, id } = task;
  const isInMemory = session.whereAfter(seq) === 'memory';
  const past = isInMemory
    ? backTo(task, seq)
    : ((await recordUntil(session, id, seq)) ?? { text: '', artifacts: new Map() });
  return { ...task, text: past.text, artifacts: past.artifacts };
}

type Said = Pick<TaskRecord, 'text' | 'artifacts'>;

function backTo(task: TaskRecord, seq: number): Said {
  let length = task.textLength;
  const artifacts = new Map(task.artifacts);
  for (const event of task.session.happenedAfter(seq).toReversed()) {
    if (event.turnId !== task.id) continue;
    if (event.type === 'text') length -= event.text.length;
    if (event.type === 'artifact') takeBack(artifacts, event);
  }
  return { text: task.text.slice(0, Math.max(0, length)), artifacts };
}

function takeBack(artifacts: Map<string, Artifact>, { artifact, append }: SessionEvent & { type: 'artifact' }): void {
  const known = artifacts.get(artifact.id);
  if (append && known)
    artifacts.set(artifact.id, { ...known, parts: known.parts.slice(0, known.parts.length - artifact.parts.length) });
  else artifacts.delete(artifact.id);
}
