import * as z from 'zod';
import { AppError } from '../../domain/errors.js';

/** The SDK turns whatever it is given into text or falls over it; these shapes stop what is neither v1.0 nor v0.3. */
const text = z.string().nullish();
const texts = z.array(z.string()).nullish();
const flag = z.boolean().nullish();
/** Protocol buffers allow numbers to be written as text. */
const count = z.union([z.number(), z.string()]).nullish();
const record = z.record(z.string(), z.unknown()).nullish();

const file = z.looseObject({
  bytes: text,
  uri: text,
  name: text,
  mimeType: text,
  fileWithBytes: text,
  file_with_bytes: text,
  fileWithUri: text,
  file_with_uri: text,
  mime_type: text,
});
const part = z.looseObject({
  kind: text,
  text,
  raw: text,
  url: text,
  filename: text,
  mediaType: text,
  media_type: text,
  metadata: record,
  file: file.nullish(),
});
const message = z.looseObject({
  messageId: text,
  message_id: text,
  contextId: text,
  context_id: text,
  taskId: text,
  task_id: text,
  role: z.union([z.string(), z.number()]).nullish(),
  parts: z.array(part).nullish(),
  content: z.array(part).nullish(),
  metadata: record,
  extensions: texts,
  referenceTaskIds: texts,
  reference_task_ids: texts,
});

const authentication = z.looseObject({ scheme: text, schemes: texts, credentials: text });
const pushConfig = z.looseObject({ id: text, url: text, token: text, authentication: authentication.nullish() });
const configuration = z.looseObject({
  acceptedOutputModes: texts,
  accepted_output_modes: texts,
  historyLength: count,
  history_length: count,
  returnImmediately: flag,
  return_immediately: flag,
  blocking: flag,
  taskPushNotificationConfig: pushConfig.nullish(),
  task_push_notification_config: pushConfig.nullish(),
  pushNotificationConfig: pushConfig.nullish(),
  pushNotification: pushConfig.nullish(),
  push_notification: pushConfig.nullish(),
});

export const sendShape = z.looseObject({
  tenant: text,
  message: message.nullish(),
  request: message.nullish(),
  configuration: configuration.nullish(),
  metadata: record,
});

export const createPushShape = z.looseObject({
  ...pushConfig.shape,
  tenant: text,
  taskId: text,
  parent: text,
  configId: text,
  config: z.looseObject({ name: text, pushNotificationConfig: pushConfig.nullish() }).nullish(),
  pushNotificationConfig: pushConfig.nullish(),
});

const namesOne = z.looseObject({
  tenant: text,
  id: text,
  taskId: text,
  historyLength: count,
  pageSize: count,
  pageToken: text,
  metadata: record,
  pushNotificationConfigId: text,
});

const listShape = z.looseObject({
  tenant: text,
  contextId: text,
  status: z.union([z.string(), z.number()]).nullish(),
  pageSize: count,
  pageToken: text,
  historyLength: count,
  statusTimestampAfter: text,
  includeArtifacts: flag,
});

/** v0.3 has the configuration of a webhook in an object of its own, and it must be there. */
const setPushShape = z.looseObject({ taskId: z.string(), pushNotificationConfig: pushConfig });

const shapes: Readonly<Record<string, z.ZodType>> = {
  SendMessage: sendShape,
  SendStreamingMessage: sendShape,
  'message/send': sendShape,
  'message/stream': sendShape,
  ListTasks: listShape,
  CreateTaskPushNotificationConfig: createPushShape,
  'tasks/pushNotificationConfig/set': setPushShape,
};

/** Checks the `params` of a JSON-RPC method. */
export function checkParams(method: string, params: unknown): void {
  if (params !== undefined) checkShape(Object.hasOwn(shapes, method) ? shapes[method] : namesOne, params);
}

export function checkShape(shape: z.ZodType | undefined, value: unknown): void {
  const issue = shape?.safeParse(value).error?.issues[0];
  if (!issue) return;
  const where = issue.path.length === 0 ? 'the request' : issue.path.join('.');
  throw new AppError('bad-request', `${where}: ${issue.message}`);
}
