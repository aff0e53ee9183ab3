import type { Message, Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Caller } from '../calls/caller.js';
import type { TaskStream } from '../streams/task-stream.js';
import type { Operations } from './operations.js';

/**
 * The operations for one caller, as the SDK's transports call them. JSON-RPC and gRPC leave to the SDK what it does well:
 * reading the parameters of either version, and writing single responses and errors.
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
 * Opens a stream through the SDK. The SDK sees a request with a single response, `SendMessage` or `GetTask`, and that
 * response is the first event of the stream. The SDK does not write the later events.
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

  /** Undefined until the request is answered, and if it is refused. */
  get stream(): TaskStream | undefined {
    return this.#stream;
  }

  async #first<First extends Task | Message>(opening: Promise<TaskStream<First>>): Promise<First> {
    const stream = await opening;
    this.#stream = stream;
    return stream.first;
  }
}

/** Our transports ask the SDK only for single responses. */
function neverStreamed(): never {
  throw new Error('streams are not written by the SDK');
}
