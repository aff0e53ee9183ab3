import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  TaskState,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  ExtendedAgentCardNotConfiguredError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { isTurnEnd, type Origin } from '../../domain/events.js';
import { agentMessage, textPart } from '../../protocols/a2a/parts.js';
import { isSettled } from '../../protocols/a2a/states.js';
import { toStream } from '../../protocols/a2a/to-stream.js';
import { sanitizeLine } from '../../util/sanitize.js';
import { toA2AError } from './a2a-error.js';
import { type Connection, connectionOf } from './connection.js';
import { follow } from './follow.js';
import { listTasks } from './list-tasks.js';
import type { PushConfigs } from './push-configs.js';
import { checkLength, readMessage } from './read-message.js';
import { isExtended } from './extension-check.js';
import type { TaskLibrary } from './task-library.js';
import { type TaskRecord, toTask } from './task-book.js';

export type RequestHandlerOptions = {
  readonly card: AgentCard;
  readonly tasks: TaskLibrary;
  readonly push: PushConfigs;
  readonly extendedCard?: AgentCard;
};

/** What a send has started or joined: events of this task from this cursor on are its answer. */
type Started = { readonly task: TaskRecord; readonly after: number; readonly isExtended: boolean };

/** How long a cancel waits for the turn to end before it answers with the task as it is. */
const cancelMs = 5000;

/**
 * A2A's operations over the hub, behind the SDK's transports. The SDK's own handler is not used: a second sender would end
 * the first one's stream, its cost per chunk grows with the chunks, and it keeps no cursor to resume from.
 */
export class HubRequestHandler implements A2ARequestHandler {
  readonly #options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.#options.card);
  }

  getAuthenticatedExtendedAgentCard(_params: unknown, context: ServerCallContext): Promise<AgentCard> {
    const { card, extendedCard } = this.#options;
    if (!card.capabilities?.extendedAgentCard)
      return Promise.reject(new UnsupportedOperationError('there is no extended card'));
    if (!extendedCard) return Promise.reject(new ExtendedAgentCardNotConfiguredError());
    if (!context.user?.isAuthenticated)
      return Promise.reject(new UnsupportedOperationError('the extended card needs the token'));
    return Promise.resolve(extendedCard);
  }

  async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const connection = connectionOf(context.user);
    return this.#guarded(connection, async () => {
      const { task, after } = await this.#begin(params, context);
      if (task.reply !== undefined) return directReply(task, task.reply);
      if (!params.configuration?.returnImmediately) await this.#settled(task, after, connection);
      return toTask(task, params.configuration?.historyLength);
    });
  }

  async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const connection = connectionOf(context.user);
    const started = await this.#guarded(connection, () => this.#begin(params, context));
    const { task } = started;
    if (task.reply !== undefined)
      return void (yield { payload: { $case: 'message', value: directReply(task, task.reply) } });
    const first = { ...toTask(task, params.configuration?.historyLength), artifacts: [] };
    if (first.status && started.after < task.lastSeq)
      first.status = { ...first.status, state: TaskState.TASK_STATE_SUBMITTED, message: undefined };
    yield* this.#stream(started, first, connection, isSettled);
  }

  async *resubscribe(
    params: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const connection = connectionOf(context.user);
    const task = this.#find(params.id);
    if (isTurnEnd(task.state))
      throw new UnsupportedOperationError(`task "${params.id}" is over; there is nothing to subscribe to`);
    const after = connection?.lastEventId ?? task.session.seq;
    const started = { task, after, isExtended: isExtended(context, undefined) };
    yield* this.#stream(started, toTask(task), connection, isTurnEnd);
  }

  async getTask(params: GetTaskRequest): Promise<Task> {
    return toTask(this.#find(params.id), checkLength(params.historyLength));
  }

  async cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    const connection = connectionOf(context.user);
    const task = this.#find(params.id);
    // v1.0 says that cancelling twice is no mistake, v0.3 that it is.
    if (task.state === 'canceled' && context.requestedVersion !== '0.3') return toTask(task);
    if (isTurnEnd(task.state)) throw new TaskNotCancelableError(`task "${params.id}" is ${task.state}`);
    return this.#guarded(connection, async () => {
      const after = task.session.seq;
      task.session.cancel(originOf(connection), task.id);
      await Promise.race([this.#ended(task, after), new Promise((resolve) => setTimeout(resolve, cancelMs).unref())]);
      return toTask(task);
    });
  }

  async listTasks(params: ListTasksRequest): Promise<ListTasksResponse> {
    checkLength(params.historyLength);
    return listTasks(this.#options.tasks.all(), params);
  }

  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#options.push.create(this.#find(config.taskId), config, context.requestedVersion);
  }

  async getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
  ): Promise<TaskPushNotificationConfig> {
    return this.#options.push.get(this.#find(params.taskId).id, params.id);
  }

  async listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return { configs: this.#options.push.list(this.#find(params.taskId).id), nextPageToken: '' };
  }

  async deleteTaskPushNotificationConfig(params: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    this.#options.push.delete(this.#find(params.taskId).id, params.id);
  }

  async #begin(params: SendMessageRequest, context: ServerCallContext): Promise<Started> {
    const { tasks, push, card } = this.#options;
    const connection = connectionOf(context.user);
    const message = readMessage(params, card.defaultInputModes);
    const extended = isExtended(context, params.message);
    const target = tasks.target(message.taskId, message.contextId, extended);
    const after = target.session.seq;
    const pushConfig = params.configuration?.taskPushNotificationConfig;
    if (pushConfig) await push.check(pushConfig.url);
    const task = tasks.deliver(target, message, originOf(connection));
    if (pushConfig) await push.create(task, pushConfig, context.requestedVersion);
    return { task, after, isExtended: extended };
  }

  async *#stream(
    { task, after, isExtended: extended }: Started,
    first: Task,
    connection: Connection | undefined,
    isLast: typeof isSettled,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    if (connection) connection.seq = after;
    yield { payload: { $case: 'task', value: first } };
    const options = { taskId: task.id, contextId: task.session.id, isExtended: extended };
    for await (const event of follow(task.session, after, connection)) {
      if (event.turnId !== task.id) continue;
      if (connection) connection.seq = event.seq;
      yield* toStream(event, { ...options, model: task.session.snapshot.model }, task.text);
      if (event.type === 'turn' && isLast(event.state)) return;
    }
  }

  async #settled(task: TaskRecord, after: number, connection: Connection | undefined): Promise<void> {
    for await (const event of follow(task.session, after, connection)) {
      if (event.turnId === task.id && event.type === 'turn' && isSettled(event.state)) return;
    }
  }

  async #ended(task: TaskRecord, after: number): Promise<void> {
    for await (const event of follow(task.session, after, undefined)) {
      if (event.turnId === task.id && event.type === 'turn' && isTurnEnd(event.state)) return;
    }
  }

  #find(id: string): TaskRecord {
    const task = this.#options.tasks.get(id);
    if (!task) throw new TaskNotFoundError(`there is no task "${id}"`);
    return task;
  }

  async #guarded<T>(connection: Connection | undefined, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toA2AError(error, connection?.transport);
    }
  }
}

function directReply(task: TaskRecord, text: string): Message {
  return {
    ...agentMessage({ taskId: '', contextId: task.session.id, messageId: `${task.id}-reply` }, [textPart(text)]),
  };
}

function originOf(connection: Connection | undefined): Origin {
  const client = sanitizeLine(connection?.client ?? '', 40);
  return client === '' ? { surface: 'a2a' } : { surface: 'a2a', client };
}
