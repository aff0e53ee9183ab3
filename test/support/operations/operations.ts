import { ListTasksRequest, SendMessageRequest } from '@a2a-js/sdk';
import { toNew, toOld, toOldProto } from '../a2a/messages.js';
import type { Caller, Operation } from './caller.js';

/** What the operations are about. */
export type Subject = {
  /** The task of the seeds' routes: a session. */
  readonly session: string;
  /** The task of standard A2A: a turn. */
  readonly turn: string;
  /** Not to a turn that waits for an answer: there text is one. */
  readonly promptsGo: { readonly taskId: string } | { readonly contextId: string };
  /** A tool call that waits for an answer. */
  readonly callId: string;
  /** Of the routes that stream; `?after=x` has them refused before anything is sent. */
  readonly query: string;
};

/** What the live endpoint and a server of many tasks have in common. */
export function sharedOperations(caller: Caller, { session, turn, promptsGo, callId, query }: Subject): Operation[] {
  const { http, rpc, rpc1, rest, rest1, grpc, grpc1, socket, acp, acpHttp } = caller;
  const prompt = { ...promptsGo, text: 'hello' };
  const answer = { taskId: turn, data: { tool_call_id: callId, selected_option_id: 'proceed_once' } };
  const endpoint = (content: object): object => ({ message: { content } });
  const asPrompt = endpoint({ text: 'hi' });
  const asAnswer = endpoint({ data: { kind: 'TOOL_CALL_CONFIRMATION', ...answer.data } });
  const named = { id: turn, taskId: turn };
  const name = `tasks/${turn}`;
  const url = 'https://example.com/hook';
  const push = { taskId: turn, url };
  const hooks = `/tasks/${turn}/pushNotificationConfigs`;
  const send1 = (message: object): SendMessageRequest => SendMessageRequest.fromJSON({ message });
  const inSession = { sessionId: session, cwd: '/', mcpServers: [] };
  return [
    http('public', 'GET', '/.well-known/agent-card.json'),
    http('public', 'HEAD', '/.well-known/agent-card.json'),
    http('public', 'GET', '/.well-known/agent.json'),
    http('public', 'GET', '/v1/.well-known/agent-card.json'),
    http('public', 'GET', '/.well-known/jwks.json'),
    http('view', 'GET', '/openapi.json'),
    http('view', 'GET', '/ui/push'),
    http('view', 'POST', '/ui/push', {}),
    http('view', 'DELETE', '/ui/push', {}),
    http('view', 'POST', '/ui/push/test', {}),
    http('view', 'POST', '/ui/visible', {}),
    http('view', 'GET', '/asyncapi.json'),
    http('view', 'GET', '/ws'),
    http('admin', 'POST', '/.well-known/agent-card.json', {}),
    http('admin', 'GET', '/nothing'),
    http('admin', 'GET', '/openapi.json/..%2fx'),
    http('view', 'GET', '/tasks/..%5chealth'),

    http('public', 'GET', '/'),
    http('public', 'GET', '/ui/main.js'),
    http('public', 'POST', '/ui/pair', {}),
    http('view', 'GET', '/ui/me'),
    http('view', 'GET', '/ui/devices'),
    http('view', 'DELETE', '/ui/devices/nobody'),
    http('prompt', 'POST', '/ui/share', { role: 'watch' }),

    http('admin', 'GET', '/audit'),
    http('prompt', 'POST', '/tasks', {}),
    http('view', 'GET', `/tasks/${session}`),
    http('view', 'GET', `/tasks/${session}/history`),
    http('prompt', 'GET', `/tasks/${session}/files?q=a`),
    http('view', 'GET', `/tasks/${session}/events/1`),
    http('prompt', 'POST', `/tasks/${session}/cancel`, {}),
    http('prompt', 'POST', `/tasks/${session}/messages/stream${query}`, asPrompt),
    http('approve', 'POST', `/tasks/${session}/messages/stream${query}`, asAnswer),

    rpc('prompt', 'message/send', { message: toOld(prompt) }, 'prompt'),
    rpc('approve', 'message/send', { message: toOld(answer) }, 'answer'),
    rpc('prompt', 'message/stream', { message: toOld(prompt) }, 'prompt'),
    rpc('approve', 'message/stream', { message: toOld(answer) }, 'answer'),
    rpc('view', 'tasks/get', named),
    rpc('view', 'tasks/list', {}),
    rpc('view', 'tasks/resubscribe', named),
    rpc('prompt', 'tasks/cancel', named),
    rpc('prompt', 'tasks/pushNotificationConfig/set', { taskId: turn, pushNotificationConfig: push }),
    rpc('prompt', 'tasks/pushNotificationConfig/get', named),
    rpc('prompt', 'tasks/pushNotificationConfig/list', named),
    rpc('prompt', 'tasks/pushNotificationConfig/delete', named),
    rpc('view', 'agent/getAuthenticatedExtendedCard', named),
    rpc('view', 'commands/get', {}),
    rpc('admin', 'command/execute', { command_path: ['quit'] }),
    rpc('admin', 'tasks/destroy', named),
    rpc('admin', '__proto__', named),
    rpc1('prompt', 'SendMessage', { message: toNew(prompt) }, 'prompt'),
    rpc1('approve', 'SendMessage', { message: toNew(answer) }, 'answer'),
    rpc1('prompt', 'SendStreamingMessage', { message: toNew(prompt) }, 'prompt'),
    rpc1('approve', 'SendStreamingMessage', { message: toNew(answer) }, 'answer'),
    rpc1('view', 'GetTask', named),
    rpc1('view', 'ListTasks', {}),
    rpc1('view', 'SubscribeToTask', named),
    rpc1('prompt', 'CancelTask', named),
    rpc1('prompt', 'CreateTaskPushNotificationConfig', push),
    rpc1('prompt', 'GetTaskPushNotificationConfig', named),
    rpc1('prompt', 'ListTaskPushNotificationConfigs', named),
    rpc1('prompt', 'DeleteTaskPushNotificationConfig', named),
    rpc1('view', 'GetExtendedAgentCard', {}),

    rest1('prompt', 'POST', '/message:send', { message: toNew(prompt) }, 'prompt'),
    rest1('approve', 'POST', '/message:send', { message: toNew(answer) }, 'answer'),
    rest1('prompt', 'POST', '/message:stream', { message: toNew(prompt) }, 'prompt'),
    rest1('approve', 'POST', '/message:stream', { message: toNew(answer) }, 'answer'),
    rest1('view', 'GET', '/tasks'),
    rest1('view', 'GET', `/tasks/${turn}`),
    rest1('view', 'POST', `/tasks/${turn}:subscribe`, {}),
    rest1('prompt', 'POST', `/tasks/${turn}:cancel`, {}),
    rest1('prompt', 'POST', hooks, push),
    rest1('prompt', 'GET', hooks),
    rest1('prompt', 'GET', `${hooks}/1`),
    rest1('prompt', 'DELETE', `${hooks}/1`),
    rest1('view', 'GET', '/extendedAgentCard'),
    rest1('admin', 'GET', '/tenant/tasks'),
    rest('prompt', 'POST', '/message:send', { message: toOldProto(prompt) }, 'prompt'),
    rest('approve', 'POST', '/message:send', { message: toOldProto(answer) }, 'answer'),
    rest('view', 'GET', `/tasks/${turn}`),
    rest('prompt', 'POST', `/tasks/${turn}:cancel`, {}),
    rest('view', 'GET', '/card'),

    grpc1('prompt', 'sendMessage', send1(toNew(prompt)), 'prompt'),
    grpc1('approve', 'sendMessage', send1(toNew(answer)), 'answer'),
    grpc1('prompt', 'sendStreamingMessage', send1(toNew(prompt)), 'prompt'),
    grpc1('approve', 'sendStreamingMessage', send1(toNew(answer)), 'answer'),
    grpc1('view', 'getTask', { id: turn }),
    grpc1('view', 'listTasks', ListTasksRequest.fromJSON({})),
    grpc1('view', 'subscribeToTask', { id: turn }),
    grpc1('prompt', 'cancelTask', { id: turn }),
    grpc1('prompt', 'createTaskPushNotificationConfig', push),
    grpc1('prompt', 'deleteTaskPushNotificationConfig', named),
    grpc1('view', 'getExtendedAgentCard', {}),
    grpc('view', 'getTask', { name, historyLength: 0 }),
    grpc('view', 'taskSubscription', { name }),
    grpc('prompt', 'cancelTask', { name }),
    grpc('prompt', 'listTaskPushNotificationConfig', { parent: name, pageSize: 0, pageToken: '' }),
    grpc('view', 'getAgentCard', {}),

    socket('prompt', 'message/stream', { ...asPrompt, taskId: turn }, 'prompt'),
    socket('approve', 'message/stream', asAnswer, 'answer'),
    socket('prompt', 'message/send', { ...asPrompt, taskId: turn }, 'prompt'),
    socket('approve', 'message/send', asAnswer, 'answer'),
    socket('view', 'tasks/get'),
    socket('view', 'tasks/resubscribe'),
    socket('prompt', 'tasks/cancel'),
    socket('view', 'commands/get'),
    socket('admin', 'command/execute', { command_path: ['quit'] }),
    socket('admin', 'tasks/destroy'),

    acp('view', 'initialize', { protocolVersion: 1 }),
    acp('view', 'authenticate', { methodId: 'none' }),
    acp('view', '_goose/defaults/read'),
    acp('view', 'session/list'),
    acp('view', 'session/load', { ...inSession, sessionId: 'nowhere' }),
    acp('view', 'session/resume', { ...inSession, sessionId: 'nowhere' }),
    acp('view', 'session/close', { sessionId: session }),
    acp('prompt', 'session/new', { cwd: '/', mcpServers: [] }),
    acp('prompt', 'session/prompt', { sessionId: session, prompt: [] }),
    acp('prompt', '$/cancel_request', { requestId: 1 }),
    acp('prompt', 'session/cancel', { sessionId: session }),
    acp('admin', 'session/set_mode', { sessionId: session, modeId: 'yolo' }),
    acp('admin', 'session/set_config_option', { sessionId: session, configId: 'mode', value: 'yolo' }),
    acp('admin', 'session/delete', { sessionId: 'nowhere' }),
    acp('admin', 'session/destroy'),
    acpHttp('view', { method: 'session/list', params: {} }),
    acpHttp('prompt', { method: 'session/new', params: { cwd: '/', mcpServers: [] } }),
    acpHttp('prompt', { method: 'session/prompt', params: {} }),
    acpHttp('admin', { method: 'session/set_mode', params: { sessionId: session, modeId: 'yolo' } }),
    acpHttp('approve', { result: { outcome: { outcome: 'cancelled' } } }),
  ];
}

/** The routes that only a server of many tasks has. */
export function serverOperations({ http }: Caller, { session, callId, query }: Subject): Operation[] {
  const userMessage = { kind: 'text-content', text: 'hello' };
  const confirmation = { kind: 'tool-call-confirmation', toolCallId: callId, approved: true };
  return [
    http('public', 'GET', '/health'),
    http('public', 'GET', '/ready'),
    http('metrics', 'GET', '/metrics'),
    http('admin', 'GET', '/cluster'),
    http('admin', 'POST', '/drain', {}),
    http('view', 'GET', '/tasks'),
    http('view', 'GET', '/tasks/metadata'),
    http('view', 'GET', '/tasks/events'),
    http('view', 'GET', `/tasks/${session}/metadata`),
    http('view', 'GET', `/tasks/${session}/artifacts`),
    http('view', 'GET', `/tasks/${session}/artifacts/a.txt`),
    http('admin', 'DELETE', `/tasks/${session}`),
    http('prompt', 'POST', `/message/stream${query}`, { userMessage }),
    http('prompt', 'POST', `/message/stream${query}`, { contextId: 'new', userMessage }),
    http('prompt', 'POST', `/message/stream${query}`, { taskId: session, userMessage }),
    http('approve', 'POST', `/message/stream${query}`, { taskId: session, userMessage: confirmation }),
    http('approve', 'POST', `/message/stream${query}`, { userMessage: confirmation }),
    http('prompt', 'POST', `/tasks/${session}/execute${query}`, { message: 'hello' }),
    http('approve', 'POST', `/tasks/${session}/execute${query}`, { message: confirmation }),
    http('view', 'GET', '/listCommands'),
    http('admin', 'POST', '/executeCommand', { command: 'init' }),
    http('admin', 'POST', '/executeCommand', { command: 'memory', args: ['add', 'x'], taskId: session }),
  ];
}
