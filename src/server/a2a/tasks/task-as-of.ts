import type { Artifact, SessionEvent } from '../../../domain/events.js';
import type { TaskRecord } from './task-book.js';

/** The task with the artifacts that it had after this event: what a stream begins with when later events follow. */
export function taskAsOf(task: TaskRecord, seq: number): TaskRecord {
  let length = task.textLength;
  const artifacts = new Map(task.artifacts);
  for (const event of task.session.happenedAfter(seq).toReversed()) {
    if (event.turnId !== task.id) continue;
    if (event.type === 'text') length -= event.text.length;
    if (event.type === 'artifact') takeBack(artifacts, event);
  }
  return { ...task, text: task.text.slice(0, Math.max(0, length)), artifacts };
}

function takeBack(artifacts: Map<string, Artifact>, { artifact, append }: SessionEvent & { type: 'artifact' }): void {
  const known = artifacts.get(artifact.id);
  if (append && known)
    artifacts.set(artifact.id, { ...known, parts: known.parts.slice(0, known.parts.length - artifact.parts.length) });
  else artifacts.delete(artifact.id);
}
