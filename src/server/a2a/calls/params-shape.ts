import * as z from 'zod';
import { AppError } from '../../../domain/errors.js';

/** The SDK converts any input to text or crashes on it. These shapes refuse whatever is neither v1.0 nor v0.3. */
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
  task_id: text,
  parent: text,
  configId: text,
  config: z.looseObject({ name: text, pushNotificationConfig: pushConfig.nullish() }).nullish(),
  pushNotificationConfig: pushConfig.nullish(),
});

const id = z.string().min(1);

/** A task by its id: v1.0, and all of v0.3. */
const taskShape = z.looseObject({
  tenant: text,
  id,
  historyLength: count,
  history_length: count,
  metadata: record,
  pushNotificationConfigId: text,
});

/** In v1.0, `id` is the webhook's and the task's id is a separate field. Protocol buffers allow either spelling. */
const webhookShape = z.looseObject({
  tenant: text,
  taskId: text,
  task_id: text,
  id: text,
  pageSize: count,
  page_size: count,
  pageToken: text,
  page_token: text,
});

function withTaskId(shape: z.ZodType<{ taskId?: unknown; task_id?: unknown }>): z.ZodType {
  return shape.refine(({ taskId, task_id }) => Boolean(taskId ?? task_id), {
    path: ['taskId'],
    message: 'the id of a task is required',
  });
}

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

/** In v0.3, the configuration of a webhook is a separate, required object. */
const setPushShape = z.looseObject({ taskId: id, pushNotificationConfig: pushConfig });
/** v0.3 has no default for the id of the configuration. */
const deletePushShape = taskShape.extend({ pushNotificationConfigId: id });
const nothing = z.looseObject({ tenant: text }).optional();

/** The `params` of every JSON-RPC method of A2A. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  SendMessage: sendShape,
  SendStreamingMessage: sendShape,
  GetTask: taskShape,
  ListTasks: listShape,
  CancelTask: taskShape,
  SubscribeToTask: taskShape,
  CreateTaskPushNotificationConfig: withTaskId(createPushShape),
  GetTaskPushNotificationConfig: withTaskId(webhookShape),
  ListTaskPushNotificationConfigs: withTaskId(webhookShape),
  DeleteTaskPushNotificationConfig: withTaskId(webhookShape),
  GetExtendedAgentCard: nothing,

  'message/send': sendShape,
  'message/stream': sendShape,
  'tasks/get': taskShape,
  'tasks/cancel': taskShape,
  'tasks/resubscribe': taskShape,
  'tasks/pushNotificationConfig/set': setPushShape,
  'tasks/pushNotificationConfig/get': taskShape,
  'tasks/pushNotificationConfig/list': taskShape,
  'tasks/pushNotificationConfig/delete': deletePushShape,
  'agent/getAuthenticatedExtendedCard': nothing,
};

/** Checks the `params` of a JSON-RPC method. Unknown methods are left to the SDK, which reports them. */
export function checkParams(method: string, params: unknown): void {
  if (Object.hasOwn(shapes, method)) checkShape(shapes[method], params);
}

export function checkShape(shape: z.ZodType | undefined, value: unknown): void {
  const issue = shape?.safeParse(value).error?.issues[0];
  if (!issue) return;
  const where = issue.path.length === 0 ? 'the request' : issue.path.join('.');
  throw new AppError('bad-request', `${where}: ${issue.message}`);
}
