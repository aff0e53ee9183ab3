import type { AppError, ErrorCode } from '../../domain/errors.js';
import { errorData } from './error-data.js';

type Row = { readonly http: number; readonly rpc: number; readonly meaning: string };

/** The only place that knows the error numbers of each transport. docs/errors.md is generated from it. */
export const errorTable: Readonly<Record<ErrorCode, Row>> = {
  'parse-error': { http: 400, rpc: -32700, meaning: 'The body or frame is not valid JSON, or is nested too deep.' },
  'invalid-request': { http: 400, rpc: -32600, meaning: 'Valid JSON, but not a JSON-RPC 2.0 request in a text frame.' },
  'unknown-method': { http: 404, rpc: -32601, meaning: 'There is no such method.' },
  'bad-request': { http: 400, rpc: -32602, meaning: 'The parameters are wrong; the message says what was expected.' },
  'too-large': {
    http: 413,
    rpc: -32600,
    meaning: 'The body is larger than the limit, or has more values than allowed.',
  },
  'not-json': { http: 415, rpc: -32600, meaning: 'Bodies must be sent as application/json.' },
  'token-required': { http: 401, rpc: -32060, meaning: 'A token is required.' },
  'bad-token': { http: 401, rpc: -32061, meaning: 'The token is not known, has expired or was revoked.' },
  'certificate-required': {
    http: 403,
    rpc: -32077,
    meaning: 'The server requires a client certificate of an authority that it trusts (`--tls-client-ca`).',
  },
  'bad-code': { http: 403, rpc: -32074, meaning: 'The pairing code is wrong, was used already, or has expired.' },
  'too-many-devices': { http: 409, rpc: -32075, meaning: 'No more devices can be paired until one is ended.' },
  'host-not-allowed': { http: 403, rpc: -32062, meaning: 'The Host header is not an allowed name (DNS rebinding).' },
  'origin-not-allowed': { http: 403, rpc: -32063, meaning: 'The request comes from a web page of another origin.' },
  'other-user': {
    http: 403,
    rpc: -32064,
    meaning: 'The connection belongs to another user of this machine, or came through a proxy.',
  },
  'workspace-not-allowed': {
    http: 403,
    rpc: -32065,
    meaning: 'The folder is outside the ones that this server serves.',
  },
  'workspace-away': {
    http: 503,
    rpc: -32076,
    meaning: 'The files of the task are on a server of the cluster that is not there now; the task can be read.',
  },
  'bad-settings': { http: 500, rpc: -32066, meaning: 'A settings file of the server or workspace cannot be read.' },
  'scope-missing': { http: 403, rpc: -32070, meaning: 'The token does not allow this; the data names the scope.' },
  'rate-limited': { http: 429, rpc: -32071, meaning: 'Too many requests; Retry-After says when to try again.' },
  'auth-unavailable': { http: 503, rpc: -32072, meaning: 'The issuer of tokens cannot be reached to verify one.' },
  'not-found': { http: 404, rpc: -32601, meaning: 'There is no such route.' },
  'upgrade-required': { http: 426, rpc: -32600, meaning: 'The address is for WebSockets only.' },
  'unknown-task': { http: 404, rpc: -32001, meaning: 'There is no task with this id, or you may not see it.' },
  'task-elsewhere': {
    http: 503,
    rpc: -32067,
    meaning: 'Another server that shares the store runs this task; the data has its url, if it may be shown.',
  },
  'shutting-down': {
    http: 503,
    rpc: -32068,
    meaning: 'The server is shutting down: running turns may finish, new ones go to its successor.',
  },
  'not-cancelable': { http: 409, rpc: -32002, meaning: 'Nothing is running that could be cancelled.' },
  'already-answered': {
    http: 409,
    rpc: -32050,
    meaning: 'Somebody else answered first; the data says who, how and when.',
  },
  'unknown-tool-call': { http: 404, rpc: -32051, meaning: 'No tool call with this id waits or waited for an answer.' },
  'queue-full': { http: 429, rpc: -32052, meaning: 'Too many prompts are already waiting.' },
  'quota-exceeded': {
    http: 429,
    rpc: -32073,
    meaning: 'The turns or tokens of this principal are used up for today; the data says when they are renewed.',
  },
  'message-id-used': {
    http: 409,
    rpc: -32069,
    meaning: 'Another message had this `messageId`; the data names the turn it started. Give each message its own id.',
  },
  'too-many-clients': { http: 503, rpc: -32053, meaning: 'Too many connections are open.' },
  'too-slow': {
    http: 410,
    rpc: -32056,
    meaning: 'The client is too far behind; subscribe again, or resume from the snapshot.',
  },
  'not-ready': {
    http: 503,
    rpc: -32054,
    meaning: 'The agent or server cannot take this yet: it is starting, full, or not logged in. Try again later.',
  },
  'command-refused': { http: 403, rpc: -32055, meaning: 'The slash command cannot be run by a client.' },
  'store-unavailable': { http: 503, rpc: -32057, meaning: 'The store of the server does not answer; try again later.' },
  'unknown-command': {
    http: 404,
    rpc: -32059,
    meaning: 'There is no such slash command; the message names similar ones.',
  },
  'command-failed': {
    http: 409,
    rpc: -32058,
    meaning: 'The slash command failed; the message says why.',
  },
  internal: { http: 500, rpc: -32603, meaning: 'Internal error. The details are only in the log file.' },
};

/** The body of every HTTP error. */
export function toHttpError(error: AppError): { status: number; body: object } {
  const { code, message } = error;
  return { status: errorTable[code].http, body: { error: { code, message, ...errorData(error) } } };
}
