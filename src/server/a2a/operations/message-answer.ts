import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import { agentMessage, textPart } from '../../../dialects/a2a/parts.js';
import { taskAsOf } from '../tasks/task-as-of.js';
import { toTask } from '../tasks/task-book.js';
import { underName } from '../tasks/under-name.js';
import type { AcceptedMessage } from './start-message.js';

/** The answer to a message that is not streamed: the task as it is now, or the agent's words where there is no task. */
export function answerTo(started: AcceptedMessage, historyLength: number | undefined): Message | Task {
  const { task, isExtended } = started;
  return directReply(started) ?? asAnswer(toTask(task, { historyLength, isExtended }), started);
}

/** The first event of a send: the task as it was when the message came, because what follows is told event by event. */
export async function firstTask(started: AcceptedMessage, historyLength: number | undefined): Promise<Task> {
  const { task, after, isExtended } = started;
  const then = asAnswer(toTask(await taskAsOf(task, after), { historyLength, isExtended }), started);
  if (after >= task.lastSeq) return then;
  const state = after < task.firstSeq ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
  return { ...then, status: { state, message: undefined, timestamp: then.status?.timestamp } };
}

/** What the agent says instead of working on a task. */
export function directReply({ task, contextId, isRepeat }: AcceptedMessage): Message | undefined {
  if (task.reply === undefined) return undefined;
  const message = agentMessage({ taskId: '', contextId, messageId: `${task.id}-reply` }, [textPart(task.reply)]);
  return isRepeat ? { ...message, metadata: repeat } : message;
}

/** The task for the client that sent the message: under its name of the context, and said to be a repeat if it is one. */
function asAnswer(task: Task, { contextId, isRepeat }: AcceptedMessage): Task {
  const named = underName(task, contextId);
  return isRepeat ? { ...named, metadata: { ...named.metadata, ...repeat } } : named;
}

const repeat = { duplicate: true };
