import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  ExtendedAgentCardNotConfiguredError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { Principal } from '../../../auth/principal.js';
import { toAppError } from '../../../domain/errors.js';
import { isTurnEnd } from '../../../domain/events.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { isHandedOver } from '../../../session/lifetime.js';
import type { SessionView } from '../../../tasks/stored-session.js';
import { originOf } from '../../http/caller.js';
import type { ServerLog } from '../../../domain/server-log.js';
import { isA2AError, toA2AError } from '../calls/a2a-error.js';
import type { Caller } from '../calls/caller.js';
import { isNamed } from '../calls/extension-check.js';
import { messageStream, openTaskStream, type TaskStream } from '../streams/task-stream.js';
import { listTasks } from '../tasks/list-tasks.js';
import { checkLength } from '../tasks/read-message.js';
import { taskAsOf } from '../tasks/task-as-of.js';
import { type TaskRecord, toTask } from '../tasks/task-book.js';
import type { TaskLibrary } from '../tasks/task-library.js';
import { untilEnded, untilSettled } from './await-turn.js';
import { answerTo, directReply, firstTask } from './message-answer.js';
import type { PushConfigs } from './push-configs.js';
import { pushWishes } from './push-wishes.js';
import { RequestPlaces } from './request-places.js';
import { type AcceptedMessage, startMessage } from './start-message.js';

export type OperationsOptions = {
  readonly card: AgentCard;
  /** The tasks that a caller may see. */
  readonly tasksFor: (principal: Principal) => TaskLibrary;
  readonly push: PushConfigs;
  /** Built for each request, because commands come and go. */
  readonly extendedCard?: () => Promise<AgentCard>;
  readonly log: ServerLog;
};

/**
 * The operations of A2A v1.0 for every transport. Each takes the parameters and the caller, and rejects with an A2A error.
 * We do not use the SDK's request handler: a second sender would end the first one's stream, its cost per chunk grows with
 * the number of chunks, and it keeps no cursor to resume from.
 */
export class Operations {
  readonly #options: OperationsOptions;
  readonly #places = new RequestPlaces();

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  get card(): AgentCard {
    return this.#options.card;
  }

  /** How many requests of all transports wait for the end of a turn. */
  get answering(): number {
    return this.#places.answering;
  }

  extendedCard(caller: Caller): Promise<AgentCard> {
    const { card, extendedCard } = this.#options;
    return this.#run(caller, async () => {
      if (!card.capabilities?.extendedAgentCard) throw new UnsupportedOperationError('there is no extended card');
      if (!extendedCard) throw new ExtendedAgentCardNotConfiguredError();
      if (caller.principal.via === 'nothing') throw new UnsupportedOperationError('the extended card needs the token');
      return extendedCard();
    });
  }

  sendMessage(params: SendMessageRequest, caller: Caller): Promise<Message | Task> {
    const answer = async (): Promise<Message | Task> => {
      const started = await this.#start(params, caller);
      const isPatient = !params.configuration?.returnImmediately;
      const task = isPatient ? await this.#settled(started.task, caller) : started.task;
      return answerTo({ ...started, task }, params.configuration?.historyLength);
    };
    return this.#run(caller, () => this.#places.whileAnswering(caller, answer));
  }

  streamMessage(params: SendMessageRequest, caller: Caller): Promise<TaskStream> {
    const open = async (): Promise<TaskStream> => {
      const started = await this.#start(params, caller);
      const reply = directReply(started);
      if (reply) return messageStream(reply);
      const first = await firstTask(started, params.configuration?.historyLength);
      return openTaskStream({ ...started, first, isLast: isSettled, reader: caller.reader });
    };
    return this.#run(caller, () => this.#places.whileStreaming(caller, open));
  }

  subscribe({ id }: SubscribeToTaskRequest, caller: Caller): Promise<TaskStream<Task>> {
    const open = async (): Promise<TaskStream<Task>> => {
      const task = await this.#find(id, caller);
      if (isTurnEnd(task.state))
        throw new UnsupportedOperationError(`task "${id}" is over; there is nothing to subscribe to`);
      const after = caller.lastEventId ?? task.session.seq;
      const view = viewOf(caller);
      const first = toTask(await taskAsOf(task, after), view);
      const { contextId } = task;
      return openTaskStream({ task, after, contextId, ...view, first, isLast: isTurnEnd, reader: caller.reader });
    };
    return this.#run(caller, () => this.#places.whileStreaming(caller, open));
  }

  getTask({ id, historyLength }: GetTaskRequest, caller: Caller): Promise<Task> {
    return this.#run(caller, async () => {
      checkLength(historyLength);
      return toTask(await this.#read(id, caller), { historyLength, ...viewOf(caller) });
    });
  }

  listTasks(params: ListTasksRequest, caller: Caller): Promise<ListTasksResponse> {
    return this.#run(caller, async () => {
      checkLength(params.historyLength);
      return listTasks(this.#tasks(caller), params, viewOf(caller).isExtended);
    });
  }

  cancelTask({ id }: CancelTaskRequest, caller: Caller): Promise<Task> {
    return this.#run(caller, async () => {
      const task = await this.#find(id, caller);
      const view = viewOf(caller);
      // Cancelling twice is allowed in v1.0 but an error in v0.3.
      if (task.state === 'canceled' && caller.context.requestedVersion !== '0.3') return toTask(task, view);
      if (isTurnEnd(task.state)) throw new TaskNotCancelableError(`task "${id}" is ${task.state}`);
      const after = task.session.seq;
      await task.session.sendCancel(originOf(caller.client, caller.principal), task.id);
      await untilEnded(task, after);
      return toTask(task, view);
    });
  }

  createWebhook(config: TaskPushNotificationConfig, caller: Caller): Promise<TaskPushNotificationConfig> {
    return this.#run(caller, async () => {
      const task = await this.#find(config.taskId, caller);
      return this.#options.push.create(task, config, pushWishes(caller, viewOf(caller).isExtended));
    });
  }

  getWebhook(params: GetTaskPushNotificationConfigRequest, caller: Caller): Promise<TaskPushNotificationConfig> {
    return this.#run(caller, async () => {
      const task = await this.#read(params.taskId, caller);
      return this.#options.push.get(task, params.id, caller.principal);
    });
  }

  listWebhooks(
    { taskId }: ListTaskPushNotificationConfigsRequest,
    caller: Caller,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#run(caller, async () => {
      const configs = await this.#options.push.list(await this.#read(taskId, caller), caller.principal);
      return { configs, nextPageToken: '' };
    });
  }

  deleteWebhook(params: DeleteTaskPushNotificationConfigRequest, caller: Caller): Promise<void> {
    return this.#run(caller, async () => {
      const task = await this.#find(params.taskId, caller);
      return this.#options.push.delete(task, params.id, caller.principal);
    });
  }

  #start(params: SendMessageRequest, caller: Caller): Promise<AcceptedMessage> {
    const { card, push } = this.#options;
    return startMessage(params, caller, { tasks: this.#tasks(caller), push, card });
  }

  #tasks({ principal }: Caller): TaskLibrary {
    return this.#options.tasksFor(principal);
  }

  /** The task once it waits for an answer or is over, even if another server continues it meanwhile. */
  async #settled(task: TaskRecord, caller: Caller): Promise<TaskRecord> {
    try {
      await untilSettled(task, caller.reader);
      return task;
    } catch (error) {
      if (!isHandedOver(error)) throw error;
      return this.#settled(await this.#find(task.id, caller), caller);
    }
  }

  /** Finds a task to take part in. */
  async #find(id: string, caller: Caller): Promise<TaskRecord> {
    return existing(id, await this.#tasks(caller).get(id));
  }

  /** Finds a task to show. */
  async #read(id: string, caller: Caller): Promise<TaskRecord<SessionView>> {
    return existing(id, await this.#tasks(caller).read(id));
  }

  /** Turns every failure into an A2A error with the numbers of the caller's transport. Unexpected ones are logged. */
  async #run<T>({ transport, principal }: Caller, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (toAppError(error).code === 'internal' && !isA2AError(error))
        this.#options.log.error('request failed', { ...principal.request, cause: error });
      throw toA2AError(error, transport);
    }
  }
}

function existing<T>(id: string, task: T | undefined): T {
  if (task) return task;
  throw new TaskNotFoundError(`Task not found: "${id}"`);
}

/** How to show a task to the caller. */
function viewOf({ context }: Caller): { readonly isExtended: boolean } {
  return { isExtended: isNamed(context, undefined) };
}
