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
import { nobody, type Principal } from '../../auth/principal.js';
import { toAppError } from '../../domain/errors.js';
import { isTurnEnd } from '../../domain/events.js';
import { agentMessage, textPart } from '../../protocols/a2a/parts.js';
import { isSettled } from '../../protocols/a2a/states.js';
import { pushAllUri } from '../../protocols/a2a/push-all.js';
import { extensionUri } from '../../protocols/development-tool/extension.js';
import type { SessionView } from '../../session/stored-session.js';
import { originOf } from '../caller.js';
import { checkMessage } from '../check-message.js';
import { need } from '../guards/scopes.js';
import type { ServerLog } from '../server-log.js';
import { wishesIn } from '../task-requests.js';
import { isA2AError, toA2AError } from './a2a-error.js';
import { type Connection, connectionOf } from './connection.js';
import { follow, readUntil } from './follow.js';
import { listTasks } from './list-tasks.js';
import type { PushWishes } from '../push/webhook.js';
import type { PushConfigs } from './push-configs.js';
import { checkLength, readMessage } from './read-message.js';
import { isNamed } from './extension-check.js';
import type { Target, TaskLibrary } from './task-library.js';
import { taskAsOf } from './task-as-of.js';
import { type TaskRecord, toTask } from './task-book.js';
import { streamTask } from './task-stream.js';
import { underName } from './under-name.js';

export type RequestHandlerOptions = {
  readonly card: AgentCard;
  /** The tasks that a caller may see. */
  readonly tasksFor: (principal: Principal) => TaskLibrary;
  readonly push: PushConfigs;
  /** Made anew for each caller: commands come and go. */
  readonly extendedCard?: () => Promise<AgentCard>;
  readonly log: ServerLog;
};

/** What a send has started or joined: events of this task from this cursor on are its answer. */
type Started = {
  readonly task: TaskRecord;
  readonly after: number;
  readonly isExtended: boolean;
  /** What the sender calls the task's context. */
  readonly contextId: string;
  /** The same message was taken before: what follows is sent again. */
  readonly isRepeat: boolean;
};

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

  async getAuthenticatedExtendedAgentCard(_params: unknown, context: ServerCallContext): Promise<AgentCard> {
    const { card, extendedCard } = this.#options;
    if (!card.capabilities?.extendedAgentCard) throw new UnsupportedOperationError('there is no extended card');
    if (!extendedCard) throw new ExtendedAgentCardNotConfiguredError();
    if (!context.user?.isAuthenticated) throw new UnsupportedOperationError('the extended card needs the token');
    return extendedCard();
  }

  async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const connection = connectionOf(context.user);
    return this.#guarded(connection, async () => {
      const started = await this.#begin(params, context);
      const { task, isExtended } = started;
      if (!params.configuration?.returnImmediately) await this.#settled(task, connection);
      if (task.reply !== undefined) return directReply(started, task.reply);
      return asAnswer(toTask(task, { historyLength: params.configuration?.historyLength, isExtended }), started);
    });
  }

  async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const connection = connectionOf(context.user);
    const started = await this.#guarded(connection, () => this.#begin(params, context));
    const { task } = started;
    if (task.reply === undefined)
      yield* streamTask(
        { ...started, first: await firstTask(started, params.configuration?.historyLength), isLast: isSettled },
        connection,
      );
    else yield { payload: { $case: 'message', value: directReply(started, task.reply) } };
  }

  async *resubscribe(
    params: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const connection = connectionOf(context.user);
    const task = await this.#find(params.id, context);
    if (isTurnEnd(task.state))
      throw new UnsupportedOperationError(`task "${params.id}" is over; there is nothing to subscribe to`);
    const after = connection?.lastEventId ?? task.session.seq;
    const started = { task, after, contextId: task.contextId, isExtended: isNamed(context, undefined) };
    yield* streamTask(
      { ...started, first: toTask(await taskAsOf(task, after), started), isLast: isTurnEnd },
      connection,
    );
  }

  async getTask(params: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    const historyLength = checkLength(params.historyLength);
    const task = await this.#read(params.id, context);
    return toTask(task, { historyLength, isExtended: isNamed(context, undefined) });
  }

  async cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    const connection = connectionOf(context.user);
    const task = await this.#find(params.id, context);
    const view = { isExtended: isNamed(context, undefined) };
    // v1.0 says that cancelling twice is no mistake, v0.3 that it is.
    if (task.state === 'canceled' && context.requestedVersion !== '0.3') return toTask(task, view);
    if (isTurnEnd(task.state)) throw new TaskNotCancelableError(`task "${params.id}" is ${task.state}`);
    return this.#guarded(connection, async () => {
      const after = task.session.seq;
      task.session.cancel(originOf(connection?.client, connection?.principal ?? nobody), task.id);
      await task.session.stored();
      await this.#ended(task, after, AbortSignal.timeout(cancelMs));
      return toTask(task, view);
    });
  }

  async listTasks(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    checkLength(params.historyLength);
    return this.#guarded(connectionOf(context.user), () =>
      listTasks(this.#tasks(context), params, isNamed(context, undefined)),
    );
  }

  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#guarded(connectionOf(context.user), async () =>
      this.#options.push.create(
        await this.#find(config.taskId, context),
        config,
        wishesOf(context, isNamed(context, undefined)),
      ),
    );
  }

  async getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const task = await this.#read(params.taskId, context);
    return this.#guarded(connectionOf(context.user), () => this.#options.push.get(task, params.id));
  }

  async listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const task = await this.#read(params.taskId, context);
    const configs = await this.#guarded(connectionOf(context.user), () => this.#options.push.list(task));
    return { configs, nextPageToken: '' };
  }

  async deleteTaskPushNotificationConfig(
    params: DeleteTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<void> {
    const task = await this.#find(params.taskId, context);
    await this.#guarded(connectionOf(context.user), () => this.#options.push.delete(task, params.id));
  }

  async #begin(params: SendMessageRequest, context: ServerCallContext): Promise<Started> {
    const { push, card } = this.#options;
    const tasks = this.#tasks(context);
    const connection = connectionOf(context.user);
    const message = readMessage(params, card.defaultInputModes);
    const origin = originOf(connection?.client, connection?.principal ?? nobody);
    const check = (isAnswer: boolean): void => {
      if (connection)
        checkMessage(connection.principal, isAnswer ? { type: 'answer' } : { type: 'prompt', text: message.text });
    };
    // Before anything is opened: what the message is decides what its sender must be allowed to do.
    let isAnswer = await tasks.isAnswer(message, origin);
    check(isAnswer);
    const named = isNamed(context, params.message);
    const pushConfig = params.configuration?.taskPushNotificationConfig;
    if (pushConfig && connection) need(connection.principal, 'prompt');
    if (pushConfig) await push.check(pushConfig.url);
    const owner = connection ? { owner: connection.principal.id } : {};
    const wishes = { ...wishesIn(params.message?.metadata), ...owner };
    const find = (): Promise<Target> =>
      tasks.target({ ...message, isAnswer }, named, { ...wishes, mustExist: isAnswer });
    let target = await find();
    // A task that was not in memory yet, as after a restart, may wait for an answer too.
    if (!isAnswer && (await tasks.isAnswer(message, origin))) {
      check((isAnswer = true));
      target = await find();
    }
    const { contextId, isExtended } = target;
    if (isExtended) context.addActivatedExtension(extensionUri);
    const after = target.session.seq;
    const { task, isRepeat } = await tasks.deliver(target, { ...message, isAnswer }, origin);
    await target.session.stored();
    const begin = isRepeat ? task.firstSeq - 1 : after;
    // A message that is sent again brings its webhook only if the first one was lost before that was stored.
    const isKnown = isRepeat && (await push.list(task)).some(({ url }) => url === pushConfig?.url);
    if (pushConfig && !isKnown) await push.create(task, pushConfig, wishesOf(context, isExtended), begin);
    // Who sends a message again has lost its answer: it is told again, from where it was lost if that is known.
    const from = isRepeat ? (connection?.lastEventId ?? begin) : after;
    return { task, contextId, isExtended, isRepeat, after: from };
  }

  async #settled(task: TaskRecord, connection: Connection | undefined): Promise<void> {
    if (isSettled(task.state)) return;
    for await (const event of follow(task.session, task.session.seq, connection)) {
      if (event.turnId === task.id && event.type === 'turn' && isSettled(event.state)) return;
    }
  }

  async #ended(task: TaskRecord, after: number, signal: AbortSignal): Promise<void> {
    for await (const event of follow(task.session, after, readUntil(signal))) {
      if (event.turnId === task.id && event.type === 'turn' && isTurnEnd(event.state)) return;
    }
  }

  #tasks({ user }: ServerCallContext): TaskLibrary {
    return this.#options.tasksFor(connectionOf(user)?.principal ?? nobody);
  }

  /** To take part in it. */
  async #find(id: string, context: ServerCallContext): Promise<TaskRecord> {
    const task = await this.#guarded(connectionOf(context.user), () => this.#tasks(context).get(id));
    if (!task) throw notFound(id);
    return task;
  }

  /** To show it. */
  async #read(id: string, context: ServerCallContext): Promise<TaskRecord<SessionView>> {
    const task = await this.#guarded(connectionOf(context.user), () => this.#tasks(context).read(id));
    if (!task) throw notFound(id);
    return task;
  }

  async #guarded<T>(connection: Connection | undefined, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (toAppError(error).code === 'internal' && !isA2AError(error))
        this.#options.log.error('request failed', { cause: error });
      throw toA2AError(error, connection?.transport);
    }
  }
}

function notFound(id: string): TaskNotFoundError {
  return new TaskNotFoundError(`Task not found: "${id}"`);
}

function wishesOf({ requestedVersion, requestedExtensions }: ServerCallContext, extended: boolean): PushWishes {
  const updates = requestedExtensions?.includes(pushAllUri) ? 'all' : 'settled';
  return { version: requestedVersion, updates, isExtended: extended };
}

/** The first event of a send: the task as it was when the message came, because what follows is told event by event. */
async function firstTask(started: Started, historyLength: number | undefined): Promise<Task> {
  const { task, after, isExtended } = started;
  const then = asAnswer(toTask(await taskAsOf(task, after), { historyLength, isExtended }), started);
  if (after >= task.lastSeq) return then;
  const state = after < task.firstSeq ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
  return { ...then, status: { state, message: undefined, timestamp: then.status?.timestamp } };
}

/** The task for the client that sent the message: under its name of the context, and said to be a repeat if it is one. */
function asAnswer(task: Task, { contextId, isRepeat }: Started): Task {
  const told = underName(task, contextId);
  return isRepeat ? { ...told, metadata: { ...told.metadata, ...repeat } } : told;
}

const repeat = { duplicate: true };

function directReply({ task, contextId, isRepeat }: Started, text: string): Message {
  const message = agentMessage({ taskId: '', contextId, messageId: `${task.id}-reply` }, [textPart(text)]);
  return isRepeat ? { ...message, metadata: repeat } : message;
}
