import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { grpcClient } from './grpc-client.js';
import { toNew, toNewWebhook, webhookOf } from './messages.js';
import { normal, pageOf, skillsOf } from './seen.js';
import { type Json, type Options, type Outgoing, type Transport, v1 } from './transport.js';

/** How a message is read from what the test has, and shown as JSON. */
type Coder<T> = { toJSON(message: T): unknown };

export function grpc(port: number, always: Record<string, string> = {}): Transport {
  const client = grpcClient(port, A2AService, { ...v1, ...always });
  const call = async <T>(method: string, request: unknown, coder: Coder<T>, headers?: Options['headers']) =>
    coder.toJSON(await client.call<T>(method, request, headers)) as Json;
  const request = (message: Outgoing, { configuration, webhook }: Options): SendMessageRequest =>
    SendMessageRequest.fromJSON({
      message: toNew(message),
      configuration:
        configuration || webhook
          ? { ...configuration, ...(webhook ? { taskPushNotificationConfig: toNewWebhook(webhook) } : {}) }
          : undefined,
    });
  const event = (given: unknown) => normal(StreamResponse.toJSON(given as StreamResponse) as Json);
  return {
    name: 'gRPC v1.0',
    send: async (message, options = {}) =>
      normal(await call('sendMessage', request(message, options), SendMessageResponse, options.headers)),
    stream: (message, options = {}) =>
      client.open('sendStreamingMessage', request(message, options), event, options.headers),
    get: async (id, historyLength) =>
      normal(await call('getTask', GetTaskRequest.fromJSON({ id, historyLength }), Task)),
    cancel: async (id) => normal(await call('cancelTask', CancelTaskRequest.fromJSON({ id }), Task)),
    subscribe: (id, headers) => client.open('subscribeToTask', SubscribeToTaskRequest.fromJSON({ id }), event, headers),
    list: async (params) =>
      pageOf({ nextPageToken: '', ...(await call('listTasks', ListTasksRequest.fromJSON(params), ListTasksResponse)) }),
    webhooks: {
      create: async (taskId, webhook, headers) =>
        webhookOf(
          await call(
            'createTaskPushNotificationConfig',
            TaskPushNotificationConfig.fromJSON({ taskId, ...toNewWebhook(webhook) }),
            TaskPushNotificationConfig,
            headers,
          ),
        ),
      get: async (taskId, id) =>
        webhookOf(
          await call(
            'getTaskPushNotificationConfig',
            GetTaskPushNotificationConfigRequest.fromJSON({ taskId, id }),
            TaskPushNotificationConfig,
          ),
        ),
      list: async (taskId) => {
        const request = ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
        const { configs } = await client.call<ListTaskPushNotificationConfigsResponse>(
          'listTaskPushNotificationConfigs',
          request,
        );
        return configs.map((config) => webhookOf(TaskPushNotificationConfig.toJSON(config) as Json));
      },
      delete: async (taskId, id) =>
        client.call(
          'deleteTaskPushNotificationConfig',
          DeleteTaskPushNotificationConfigRequest.fromJSON({ taskId, id }),
        ),
    },
    extendedSkills: async () =>
      skillsOf(await call('getExtendedAgentCard', GetExtendedAgentCardRequest.fromJSON({}), AgentCard)),
    activated: (message, options) =>
      client.header('sendStreamingMessage', request(message, options), options.headers, 'a2a-extensions'),
    close: () => client.close(),
  };
}
