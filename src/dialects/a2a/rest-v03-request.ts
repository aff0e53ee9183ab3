import { type Message, type Part, Role, type SendMessageRequest, type TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';

/**
 * v0.3 requests on HTTP+JSON, which are its protocol buffers as JSON. They differ from JSON-RPC: parts are called `content`,
 * an enum is a name or a number, and field names may be camel case or snake case. Types are checked before. Pure.
 */
export function readSendV03(body: unknown): SendMessageRequest {
  const message = fieldOf(body, 'message', 'request');
  if (!isObject(message)) throw new RequestMalformedError('SendMessageRequest missing message');
  const configuration = fieldOf(body, 'configuration');
  return {
    tenant: '',
    message: toMessage(message),
    configuration: isObject(configuration) ? toConfiguration(configuration) : undefined,
    metadata: objectIn(body, 'metadata'),
  };
}

/** The body names the task as `tasks/{id}`. */
export function readWebhookV03(body: unknown): TaskPushNotificationConfig {
  const config = objectIn(body, 'pushNotificationConfig', 'push_notification_config');
  if (!config) throw new RequestMalformedError('TaskPushNotificationConfig missing pushNotificationConfig');
  const name = textIn(body, 'name');
  const taskId = /^tasks\/([^/]+)(?:\/|$)/.exec(name)?.[1];
  if (taskId === undefined) throw new RequestMalformedError(`Invalid or missing task ID in: "${name}"`);
  return { ...toWebhook(config), taskId };
}

function toMessage(message: Json): Message {
  return {
    messageId: textIn(message, 'messageId', 'message_id'),
    contextId: textIn(message, 'contextId', 'context_id'),
    taskId: textIn(message, 'taskId', 'task_id'),
    parts: listIn(message, 'content').map(toPart),
    role: toRole(message['role'] ?? 0),
    metadata: objectIn(message, 'metadata'),
    extensions: textsIn(message, 'extensions'),
    referenceTaskIds: [],
  };
}

function toRole(role: unknown): Role {
  if (role === 'ROLE_USER' || role === Role.ROLE_USER) return Role.ROLE_USER;
  if (role === 'ROLE_AGENT' || role === Role.ROLE_AGENT) return Role.ROLE_AGENT;
  throw new RequestMalformedError(`Invalid role: ${role === 0 || role === 'ROLE_UNSPECIFIED' ? 0 : -1}`);
}

function toPart(part: unknown): Part {
  const plain = { metadata: undefined, filename: '', mediaType: '' };
  if (fieldOf(part, 'text') !== undefined) return { ...plain, content: { $case: 'text', value: textIn(part, 'text') } };
  const file = fieldOf(part, 'file');
  if (file !== undefined) return { ...plain, ...toFile(file) };
  const data = fieldOf(part, 'data');
  if (data !== undefined) return { ...plain, content: { $case: 'data', value: objectIn(data, 'data') ?? {} } };
  throw new RequestMalformedError('Invalid part type');
}

function toFile(file: unknown): Pick<Part, 'content' | 'mediaType'> {
  const mediaType = textIn(file, 'mimeType', 'mime_type');
  const url = ['fileWithUri', 'file_with_uri'];
  if (fieldOf(file, ...url) !== undefined) return { content: { $case: 'url', value: textIn(file, ...url) }, mediaType };
  const bytes = ['fileWithBytes', 'file_with_bytes'];
  if (fieldOf(file, ...bytes) === undefined) throw new RequestMalformedError('Invalid file part type');
  return { content: { $case: 'raw', value: Buffer.from(textIn(file, ...bytes), 'base64') }, mediaType };
}

function toConfiguration(configuration: Json): SendMessageRequest['configuration'] {
  const webhook = objectIn(configuration, 'pushNotification', 'push_notification');
  return {
    acceptedOutputModes: textsIn(configuration, 'acceptedOutputModes', 'accepted_output_modes'),
    taskPushNotificationConfig: webhook && toWebhook(webhook),
    // The protocol buffers of v0.3 cannot distinguish 0 from unset.
    historyLength: undefined,
    returnImmediately: configuration['blocking'] !== true,
  };
}

function toWebhook(config: Json): TaskPushNotificationConfig {
  const authentication = objectIn(config, 'authentication');
  return {
    tenant: '',
    taskId: '',
    id: textIn(config, 'id'),
    url: textIn(config, 'url'),
    token: textIn(config, 'token'),
    authentication: authentication && {
      // v1.0 has only one scheme.
      scheme: textsIn(authentication, 'schemes')[0] ?? '',
      credentials: textIn(authentication, 'credentials'),
    },
  };
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The value of the first name that is set; null counts as unset. */
function fieldOf(json: unknown, ...names: string[]): unknown {
  if (!isObject(json)) return undefined;
  return names.map((name) => json[name]).find((value) => value !== undefined && value !== null);
}

function objectIn(json: unknown, ...names: string[]): Json | undefined {
  const found = fieldOf(json, ...names);
  return isObject(found) ? found : undefined;
}

function textIn(json: unknown, ...names: string[]): string {
  const found = fieldOf(json, ...names);
  return typeof found === 'string' ? found : '';
}

function listIn(json: unknown, ...names: string[]): readonly unknown[] {
  const found = fieldOf(json, ...names);
  return Array.isArray(found) ? found : [];
}

function textsIn(json: unknown, ...names: string[]): string[] {
  return listIn(json, ...names).map(String);
}
