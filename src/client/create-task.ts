import type { ConnectOptions } from './connect.js';
import { CosessionError, fromWireError } from './transport/cosession-error.js';
import { headersOf, httpUrl, socketUrl } from './transport/endpoint.js';
import { toRecord } from './transport/replies.js';
import { defined } from '../util/defined.js';

export type CreateTaskOptions = Pick<ConnectOptions, 'url' | 'port' | 'token' | 'pageKey' | 'fetch' | 'certificate'>;

/** Creates a task on a server that has many, such as `cosession serve`. Resolves to its id, for `connect`. */
export async function createTask(options: CreateTaskOptions): Promise<string> {
  const { token, pageKey, fetch: request = fetch } = options;
  const url = httpUrl(socketUrl(options), 'tasks');
  url.search = '';
  const headers = { ...headersOf(defined({ token, pageKey })), 'content-type': 'application/json' };
  const response = await request(url, { method: 'POST', headers, body: '{}' }).catch((cause: unknown) => {
    throw new CosessionError('cannot-connect', `cannot connect to ${url.href}: ${reasonOf(cause)}`);
  });
  const { taskId, error } = toRecord(await response.json().catch(() => undefined));
  if (typeof taskId === 'string') return taskId;
  const { message } = toRecord(error);
  if (message !== undefined) throw fromWireError({ message, data: error });
  throw new CosessionError('cannot-connect', `${url.href} is not a Cosession endpoint`);
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(thrown: unknown): string {
  const { cause } = toRecord(thrown instanceof Error ? { cause: thrown.cause ?? thrown } : {});
  return cause instanceof Error ? cause.message : 'no answer';
}
