import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import { agentMessage, textPart } from '../../../dialects/a2a/parts.js';
import { taskAsOf } from '../tasks/task-as-of.js';
import { toTask } from '../tasks/task-book.js';
import { underName } from '../tasks/under-name.js';
import type { AcceptedMessage } from './start-message.js';

/** The response to a message without streaming: the current task, or the agent's reply if there is no task. */
export function answerTo(started: AcceptedMessage, historyLength: number | undefined): Message | Task {
  const { task, isExtended } = started;
  return directReply(started) ?? asAnswer(toTask(task, { historyLength, isExtended }), started);
}

/** The first event of a send: the task as it was when the message arrived, because later events follow one by one. */
export async function firstTask(started: AcceptedMessage, historyLength: number | undefined): Promise<Task> {
  const { task, after, isExtended } = started;
  const then = asAnswer(toTask(await taskAsOf(task, after), { historyLength, isExtended }), started);
  if (after >= task.lastSeq) return then;
  const state = after < task.firstSeq ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
  return { ...then, status: { state, message: undefined, timestamp: then.status?.timestamp } };
}

/** The agent's reply if it did not start a task. */
export function directReply({ task, contextId, isRepeat }: AcceptedMessage): Message | undefined {
  if (task.reply === undefined) return undefined;
  const message = agentMessage({ taskId: '', contextId, messageId: `${task.id}-reply` }, [textPart(task.reply)]);
  return isRepeat ? { ...message, metadata: repeat } : message;
}

/** The task for the client that sent the message: with the client's name for the context, and marked if it is a repeat. */
function asAnswer(task: Task, { contextId, isRepeat }: AcceptedMessage): Task {
  const named = underName(task, contextId);
  return isRepeat ? { ...named, metadata: { ...named.metadata, ...repeat } } : named;
}

const repeat = { duplicate: true };
