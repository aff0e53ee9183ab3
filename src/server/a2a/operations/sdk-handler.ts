import type { Message, Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Caller } from '../calls/caller.js';
import type { TaskStream } from '../streams/task-stream.js';
import type { Operations } from './operations.js';

/**
 * The operations for one caller, as the SDK's transports call them. JSON-RPC and gRPC leave to those what they are good at:
 * reading the parameters of either version, and writing single answers and errors.
 */
export function sdkHandler(operations: Operations, caller: Caller): A2ARequestHandler {
  return {
    getAgentCard: () => Promise.resolve(operations.card),
    getAuthenticatedExtendedAgentCard: () => operations.extendedCard(caller),
    sendMessage: (params) => operations.sendMessage(params, caller),
    getTask: (params) => operations.getTask(params, caller),
    listTasks: (params) => operations.listTasks(params, caller),
    cancelTask: (params) => operations.cancelTask(params, caller),
    createTaskPushNotificationConfig: (params) => operations.createWebhook(params, caller),
    getTaskPushNotificationConfig: (params) => operations.getWebhook(params, caller),
    listTaskPushNotificationConfigs: (params) => operations.listWebhooks(params, caller),
    deleteTaskPushNotificationConfig: (params) => operations.deleteWebhook(params, caller),
    sendMessageStream: neverStreamed,
    resubscribe: neverStreamed,
  };
}

/**
 * Opens a stream through the SDK: the request is that of a single answer, `SendMessage` or `GetTask`, and the answer is what
 * the stream begins with. What follows is not the SDK's.
 */
export class StreamOpening {
  readonly handler: A2ARequestHandler;
  #stream: TaskStream | undefined;

  constructor(operations: Operations, caller: Caller) {
    this.handler = {
      ...sdkHandler(operations, caller),
      sendMessage: (params) => this.#first(operations.streamMessage(params, caller)),
      getTask: (params) => this.#first(operations.subscribe(params, caller)),
    };
  }

  /** Undefined until the request was answered, and when it was refused. */
  get stream(): TaskStream | undefined {
    return this.#stream;
  }

  async #first<First extends Task | Message>(opening: Promise<TaskStream<First>>): Promise<First> {
    const stream = await opening;
    this.#stream = stream;
    return stream.first;
  }
}

/** Our transports ask the SDK for single answers only. */
function neverStreamed(): never {
  throw new Error('streams are not written by the SDK');
}
