import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { SessionPort } from '../../session/session-port.js';
import { cursorOf } from '../http/caller.js';
import { type Spoken, spokenBy } from '../endpoint/first-frame.js';
import { surfaceOf } from '../endpoint/request-origin.js';
import { admissionOf } from '../guards/admission.js';
import type { Visitor } from '../guards/credential-check.js';
import { need } from '../guards/scopes.js';

/** The session that a watching client requests with `?taskId=`. Undefined if it must name one and does not. */
export type SessionFor = (taskId: string | undefined, principal: Principal) => Promise<SessionPort | undefined>;

/** A client that has passed the guards, and what it requests. */
export type SocketGuest = {
  readonly principal: Principal;
  readonly visitor: Visitor;
  /** The dialect it named. Undefined if its first frame decides. */
  readonly spoken: Spoken | undefined;
  /** The name it gives itself. */
  readonly name: string | undefined;
  readonly surface: 'web' | 'a2a';
  readonly after: number | undefined;
  /** It wants to know the state first. Without a cursor, every client does. */
  readonly wantsSnapshot: boolean;
  /** Undefined for ACP clients, which name their session later or open a new one. */
  readonly session: SessionPort | undefined;
};

export type GuestOptions = { readonly sessionFor: SessionFor; readonly checkRoom: (principal: Principal) => void };

/** Reads a request that has passed the guards. Throws the reason if it cannot be served. */
export async function readGuest(
  request: IncomingMessage,
  { sessionFor, checkRoom }: GuestOptions,
): Promise<SocketGuest> {
  const { principal, visitor } = admissionOf(request);
  need(principal, 'view');
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname !== '/ws' && url.pathname !== '/acp')
    throw new AppError('not-found', `there is no WebSocket at ${url.pathname}, only at /ws and /acp`);
  checkRoom(principal);
  const after = cursorOf(url.searchParams.get('after'));
  const taskId = url.searchParams.get('taskId') ?? undefined;
  const spoken = spokenBy(url, request.headers['sec-websocket-protocol']);
  const session = spoken === 'acp' ? undefined : await sessionFor(taskId, principal);
  if (!session && spoken !== undefined && spoken !== 'acp') throw taskMissing();
  const wantsSnapshot = after === undefined || url.searchParams.get('snapshot') === 'true';
  const name = url.searchParams.get('client') ?? undefined;
  return { principal, visitor, spoken, after, wantsSnapshot, session, name, surface: surfaceOf(request) };
}

export function taskMissing(): AppError {
  return new AppError(
    'bad-request',
    'this server has many tasks: connect to /ws?taskId=<id> (GET /tasks lists them), or begin with initialize to speak ACP',
  );
}
