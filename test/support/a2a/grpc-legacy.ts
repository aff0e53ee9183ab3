import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { grpcClient } from './grpc-client.js';
import { toOldWebhook, webhookOf } from './messages.js';
import { normal, skillsOf } from './seen.js';
import { type Json, nextId, type Options, type Outgoing, type Transport, type Webhook } from './transport.js';

/** v0.3's own protocol buffers. The SDK exports the service without its messages, so their fields are all written out. */
export function grpcLegacy(port: number, always: Record<string, string> = {}): Transport {
  const client = grpcClient(port, LegacyA2AService, always);
  const call = async (method: string, request: Json, headers?: Options['headers']): Promise<Json> =>
    plain(await client.call(method, request, headers)) as Json;
  const event = (given: unknown) => normal((plain(given) as { payload: Json }).payload);
  const named = (taskId: string, id: string): Json => ({ name: `tasks/${taskId}/pushNotificationConfigs/${id}` });
  return {
    name: 'gRPC v0.3',
    send: async (message, options = {}) =>
      normal((await call('sendMessage', request(message, options), options.headers))['payload'] as Json),
    stream: (message, options = {}) =>
      client.open('sendStreamingMessage', request(message, options), event, options.headers),
    get: async (id, historyLength = 0) => normal(await call('getTask', { name: `tasks/${id}`, historyLength })),
    cancel: async (id) => normal(await call('cancelTask', { name: `tasks/${id}` })),
    subscribe: (id, headers) => client.open('taskSubscription', { name: `tasks/${id}` }, event, headers),
    webhooks: {
      create: async (taskId, webhook, headers) =>
        webhookOf(
          await call(
            'createTaskPushNotificationConfig',
            {
              parent: `tasks/${taskId}`,
              configId: webhook.id ?? '',
              config: { name: '', pushNotificationConfig: webhookMessage(webhook) },
            },
            headers,
          ),
        ),
      get: async (taskId, id) => webhookOf(await call('getTaskPushNotificationConfig', named(taskId, id))),
      list: async (taskId) => {
        const request = { parent: `tasks/${taskId}`, pageSize: 0, pageToken: '' };
        return ((await call('listTaskPushNotificationConfig', request))['configs'] as Json[]).map(webhookOf);
      },
      delete: async (taskId, id) => void (await call('deleteTaskPushNotificationConfig', named(taskId, id))),
    },
    extendedSkills: async () => skillsOf(await call('getAgentCard', {})),
    activated: (message, options) =>
      client.header('sendStreamingMessage', request(message, options), options.headers, 'x-a2a-extensions'),
    close: () => client.close(),
  };
}

function request(message: Outgoing, { configuration, webhook }: Options): Json {
  const { messageId = nextId(), taskId = '', contextId = '', metadata, text, data, file } = message;
  const content = [
    ...(text === undefined ? [] : [{ part: { $case: 'text', value: text } }]),
    ...(data === undefined ? [] : [{ part: { $case: 'data', value: { data } } }]),
    ...(file === undefined ? [] : [{ part: { $case: 'file', value: fileMessage(file) } }]),
  ];
  const { blocking = true } = configuration ?? {};
  const settings = {
    acceptedOutputModes: [],
    pushNotification: webhook && webhookMessage(webhook),
    historyLength: 0,
    blocking,
  };
  return {
    request: { messageId, taskId, contextId, role: 1, content, metadata, extensions: [] },
    configuration: configuration || webhook ? settings : undefined,
    metadata: undefined,
  };
}

function fileMessage(mimeType: string): Json {
  return { file: { $case: 'fileWithBytes', value: Buffer.from('file') }, mimeType, name: '' };
}

function webhookMessage(webhook: Webhook): Json {
  return { id: '', token: '', authentication: undefined, ...toOldWebhook(webhook) };
}

/** Of the v0.3 protocol buffer, by number. */
const states = ['', 'submitted', 'working', 'completed', 'failed', 'canceled', 'input-required', 'rejected'];

/** `{$case, value}` as the JSON of protocol buffers has it, and states by name. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (key === 'state' && typeof each === 'number') return [key, states[each]];
    return key === 'part' ? ['part', plain(each)] : [key, plain(each)];
  });
  const { $case, value: inner, part, ...rest } = Object.fromEntries(fields) as Json & { part?: Json };
  if (typeof $case === 'string') return { [$case]: inner };
  return { ...rest, ...part };
}
