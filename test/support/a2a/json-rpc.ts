import { eventsOf, isEventStream, post } from './http.js';
import { toNew, toNewWebhook, toOld, toOldWebhook, webhookOf } from './messages.js';
import { normal, pageOf, skillsOf } from './seen.js';
import { A2AFailure, type Json, type Options, type Outgoing, type Transport, v1 } from './transport.js';

export function jsonRpc(base: string, version: '1.0' | '0.3', always: Record<string, string> = {}): Transport {
  const isOld = version === '0.3';
  const own = { ...(isOld ? {} : v1), ...always };
  const request = (method: string, params: Json, headers = {}): Promise<Response> =>
    post(`${base}/`, { jsonrpc: '2.0', id: 1, method, params }, { ...own, ...headers });
  const call = async (method: string, params: Json, headers = {}): Promise<Json> =>
    unwrap((await (await request(method, params, headers)).json()) as Json);
  const open = async function* (method: string, params: Json, headers = {}) {
    const response = await request(method, params, headers);
    if (!isEventStream(response)) unwrap((await response.json()) as Json);
    for await (const { id, data } of eventsOf(response)) yield { ...normal(unwrap(data)), eventId: id };
  };
  const params = (message: Outgoing, { configuration, webhook }: Options): Json => {
    const push = webhook && (isOld ? { pushNotificationConfig: toOldWebhook(webhook) } : newPush(webhook));
    return {
      message: isOld ? toOld(message) : toNew(message),
      ...(configuration || push ? { configuration: { ...configuration, ...push } } : {}),
    };
  };
  const streaming = isOld ? 'message/stream' : 'SendStreamingMessage';
  const named = (taskId: string, id: string): Json =>
    isOld ? { id: taskId, pushNotificationConfigId: id } : { taskId, id };
  const push = (verb: string, plural = ''): string =>
    isOld ? `tasks/pushNotificationConfig/${old[verb] ?? ''}` : `${verb}TaskPushNotificationConfig${plural}`;
  return {
    name: `JSON-RPC v${version}`,
    send: async (message, options = {}) =>
      normal(await call(isOld ? 'message/send' : 'SendMessage', params(message, options), options.headers)),
    stream: (message, options = {}) => open(streaming, params(message, options), options.headers),
    get: async (id, length) =>
      normal(
        await call(isOld ? 'tasks/get' : 'GetTask', { id, ...(length === undefined ? {} : { historyLength: length }) }),
      ),
    cancel: async (id) => normal(await call(isOld ? 'tasks/cancel' : 'CancelTask', { id })),
    subscribe: (id, headers) => open(isOld ? 'tasks/resubscribe' : 'SubscribeToTask', { id }, headers),
    ...(isOld ? {} : { list: async (filter: Json) => pageOf(await call('ListTasks', filter)) }),
    webhooks: {
      create: async (taskId, webhook, headers) =>
        webhookOf(
          await call(
            push('Create'),
            isOld ? { taskId, pushNotificationConfig: toOldWebhook(webhook) } : { taskId, ...toNewWebhook(webhook) },
            headers,
          ),
        ),
      get: async (taskId, id) => webhookOf(await call(push('Get'), named(taskId, id))),
      list: async (taskId) => {
        const result = await call(push('List', 's'), isOld ? { id: taskId } : { taskId });
        return ((isOld ? result : (result['configs'] ?? [])) as Json[]).map(webhookOf);
      },
      delete: async (taskId, id) => void (await call(push('Delete'), named(taskId, id))),
    },
    extendedSkills: async () =>
      skillsOf(await call(isOld ? 'agent/getAuthenticatedExtendedCard' : 'GetExtendedAgentCard', {})),
    activated: async (message, options) => {
      const response = await request(streaming, params(message, options), options.headers);
      await response.text();
      return response.headers.get(isOld ? 'x-a2a-extensions' : 'a2a-extensions') ?? '';
    },
    close: () => {},
  };
}

const old: Readonly<Record<string, string>> = { Create: 'set', Get: 'get', List: 'list', Delete: 'delete' };

function newPush(webhook: Parameters<typeof toNewWebhook>[0]): Json {
  return { taskPushNotificationConfig: toNewWebhook(webhook) };
}

function unwrap(envelope: Json): Json {
  const error = envelope['error'] as Json | undefined;
  if (error) throw new A2AFailure(error['code'] as number, error);
  return envelope['result'] as Json;
}
