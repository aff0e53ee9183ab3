import { can, type Principal, type Scope } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';

/**
 * What an operation needs. A `message` starts a turn or answers a question. Either `prompt` or `approve` passes at first.
 * `checkMessage` decides which one is needed once the message has been read. `public` needs no credentials, but refuses wrong
 * ones and other users of this machine. `anyone` refuses nobody: it is for the page, where a browser goes to pair.
 */
export type Requirement = 'anyone' | 'public' | 'message' | Scope;

/** Methods by name: A2A v1.0 and v0.3 (JSON-RPC at `/`, gRPC and `/ws`), and ACP. */
export const methods: Readonly<Record<string, Requirement>> = {
  SendMessage: 'message',
  SendStreamingMessage: 'message',
  'message/send': 'message',
  'message/stream': 'message',

  GetTask: 'view',
  ListTasks: 'view',
  SubscribeToTask: 'view',
  TaskSubscription: 'view',
  'tasks/get': 'view',
  'tasks/list': 'view',
  'tasks/resubscribe': 'view',

  CancelTask: 'prompt',
  'tasks/cancel': 'prompt',

  // A webhook sends events to an outside address, and its configuration holds the credentials for that address.
  CreateTaskPushNotificationConfig: 'prompt',
  GetTaskPushNotificationConfig: 'prompt',
  ListTaskPushNotificationConfigs: 'prompt',
  ListTaskPushNotificationConfig: 'prompt',
  DeleteTaskPushNotificationConfig: 'prompt',
  'tasks/pushNotificationConfig/set': 'prompt',
  'tasks/pushNotificationConfig/get': 'prompt',
  'tasks/pushNotificationConfig/list': 'prompt',
  'tasks/pushNotificationConfig/delete': 'prompt',

  GetAgentCard: 'view',
  GetExtendedAgentCard: 'view',
  'agent/getAuthenticatedExtendedCard': 'view',

  'commands/get': 'view',
  // Slash commands change settings, memory and which tools run without approval.
  'command/execute': 'admin',

  initialize: 'view',
  authenticate: 'view',
  '_goose/defaults/read': 'view',
  'session/list': 'view',
  'session/load': 'view',
  'session/resume': 'view',
  'session/close': 'view',
  'session/new': 'prompt',
  'session/prompt': 'prompt',
  'session/cancel': 'prompt',
  '$/cancel_request': 'prompt',
  'session/delete': 'admin',
  'session/set_mode': 'admin',
  'session/set_config_option': 'admin',
};

/** Methods outside the table need `admin`, so forgetting a row never exposes anything. */
export function needForMethod(principal: Principal, name: string): void {
  need(principal, (Object.hasOwn(methods, name) ? methods[name] : undefined) ?? 'admin');
}

/** Checks an ACP message. One without a method is the reply to one of our questions. */
export function needForAcp(principal: Principal, message: unknown): void {
  const method = typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
  if (typeof method === 'string') needForMethod(principal, method);
  else need(principal, 'approve');
}

export function need(principal: Principal, requirement: Requirement): void {
  const why = whyRefused(principal, requirement);
  if (!why) return;
  principal.onRefused?.(why);
  throw why;
}

function whyRefused(principal: Principal, requirement: Requirement): AppError | undefined {
  if (requirement === 'anyone') return undefined;
  if (principal.refusal) return principal.refusal;
  if (requirement === 'public') return undefined;
  const enough: Scope[] = requirement === 'message' ? ['prompt', 'approve'] : [requirement];
  if (enough.some((scope) => can(principal, scope))) return undefined;
  if (principal.needsCertificate) return new AppError('certificate-required', 'connect with a client certificate');
  if (principal.via === 'nothing') return new AppError('token-required', withoutToken(principal));
  const has = principal.scopes.length === 0 ? 'no scope' : principal.scopes.join(', ');
  return new AppError('scope-missing', `this needs the scope ${enough.join(' or ')}; ${principal.id} has ${has}`, {
    details: { scope: enough.join(' ') },
  });
}

function withoutToken({ advice }: Principal): string {
  const how = 'send a token as "Authorization: Bearer …"';
  return advice === undefined ? how : `${how}: ${advice}`;
}
