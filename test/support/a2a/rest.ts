import { eventsOf, isEventStream, post } from './http.js';
import { toNew, toNewWebhook, toOldProto, toOldWebhook, webhookOf } from './messages.js';
import { normal, pageOf, skillsOf } from './seen.js';
import { A2AFailure, type Json, type Options, type Outgoing, type Transport, v1 } from './transport.js';

export function rest(base: string, version: '1.0' | '0.3', always: Record<string, string> = {}): Transport {
  const isOld = version === '0.3';
  const root = `${base}/a2a/rest${isOld ? '/v1' : ''}`;
  const own = { ...(isOld ? {} : v1), ...always };
  const body = (message: Outgoing, { configuration, webhook }: Options): Json => {
    const push =
      webhook &&
      (isOld ? { pushNotification: toOldWebhook(webhook) } : { taskPushNotificationConfig: toNewWebhook(webhook) });
    return {
      message: isOld ? toOldProto(message) : toNew(message),
      ...(configuration || push ? { configuration: { ...configuration, ...push } } : {}),
    };
  };
  const answer = async (response: Response): Promise<Json> => {
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Json;
    if (!response.ok) throw new A2AFailure(response.status, json);
    return json;
  };
  const read = async (path: string): Promise<Json> => answer(await fetch(`${root}${path}`, { headers: own }));
  const open = async function* (response: Response) {
    if (!isEventStream(response)) throw new A2AFailure(response.status, (await response.json()) as Json);
    for await (const { id, name, data } of eventsOf(response)) {
      if (name === 'error') throw new A2AFailure(numberOf(data), data);
      yield { ...normal(data), eventId: id };
    }
  };
  const startStream = (message: Outgoing, options: Options): Promise<Response> =>
    post(`${root}/message:stream`, body(message, options), { ...own, ...options.headers });
  const configs = (taskId: string): string => `/tasks/${taskId}/pushNotificationConfigs`;
  return {
    name: `HTTP+JSON v${version}`,
    send: async (message, options = {}) =>
      normal(await answer(await post(`${root}/message:send`, body(message, options), { ...own, ...options.headers }))),
    async *stream(message, options = {}) {
      yield* open(await startStream(message, options));
    },
    get: async (id, historyLength) =>
      normal(await read(`/tasks/${id}${historyLength === undefined ? '' : `?historyLength=${historyLength}`}`)),
    cancel: async (id) => normal(await answer(await post(`${root}/tasks/${id}:cancel`, {}, own))),
    async *subscribe(id, headers = {}) {
      yield* open(await fetch(`${root}/tasks/${id}:subscribe`, { headers: { ...own, ...headers } }));
    },
    ...(isOld
      ? {}
      : {
          list: async (params: Json) =>
            pageOf(await read(`/tasks?${new URLSearchParams(params as Record<string, string>).toString()}`)),
        }),
    webhooks: {
      create: async (taskId, webhook, headers = {}) =>
        webhookOf(
          await answer(
            await post(
              `${root}${configs(taskId)}`,
              isOld
                ? { name: `tasks/${taskId}`, pushNotificationConfig: toOldWebhook(webhook) }
                : toNewWebhook(webhook),
              { ...own, ...headers },
            ),
          ),
        ),
      get: async (taskId, id) => webhookOf(await read(`${configs(taskId)}/${id}`)),
      list: async (taskId) => (((await read(configs(taskId)))['configs'] ?? []) as Json[]).map(webhookOf),
      delete: async (taskId, id) =>
        void (await answer(await fetch(`${root}${configs(taskId)}/${id}`, { method: 'DELETE', headers: own }))),
    },
    extendedSkills: async () => skillsOf(await read(isOld ? '/card' : '/extendedAgentCard')),
    activated: async (message, options) => {
      const response = await startStream(message, options);
      await response.text();
      return response.headers.get(isOld ? 'x-a2a-extensions' : 'a2a-extensions') ?? '';
    },
    close: () => {},
  };
}

/** Of an error, v1.0 or v0.3. */
function numberOf({ error, code }: Json): number {
  return ((error as Json | undefined)?.['code'] ?? code) as number;
}
