import type { AppError } from '../domain/errors.js';

/**
 * What a principal may do: `view` sees all conversations, `prompt` sends prompts, `approve` answers questions, `metrics` reads
 * the figures about the whole server, `admin` may do all.
 */
export type Scope = 'view' | 'prompt' | 'approve' | 'metrics' | 'admin';

export const scopes: readonly Scope[] = ['view', 'prompt', 'approve', 'metrics', 'admin'];

/** Who sent a request, as the server established it; never as the client claims. */
export type Principal = {
  /** Stable, because limits and logs use it. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** How it was recognised. */
  readonly via: 'owner' | 'token' | 'oidc' | 'certificate' | 'nothing';
  /** When its credentials expire. */
  readonly expiresAt?: string;
  /** For a browser that was paired: what it was given. */
  readonly device?: DeviceFacts;
  /** For callers without credentials: why they need them here, and how to get them. */
  readonly advice?: string;
  /** For callers that are refused: why. Only the page is served to them. */
  readonly refusal?: AppError;
  /** Called with each refusal of a request for what it may do or how often; every surface refuses by `need` or `count`. */
  readonly onRefused?: (why: AppError) => void;
  /** The caller needs a client certificate; a token alone is not enough. */
  readonly needsCertificate?: true;
  /** The request it sent. Absent for connections that live on, such as sockets. */
  readonly request?: RequestFacts;
};

/** For the log. */
export type RequestFacts = {
  readonly requestId: string;
  /** The task it is about, once known. */
  taskId?: string;
};

/** What a paired browser was given, besides scopes. */
export type DeviceFacts = {
  readonly name: string;
  /** As its user named it. */
  readonly label: string;
  /** The only task that it may see. Absent if it may see what its sharer sees. */
  readonly taskId?: string;
  /** When that task was created: another task may get its id once it is deleted. Absent for a live session. */
  readonly taskCreatedAt?: string;
  /** The principal that shared it. */
  readonly sharedBy: string;
  /** The principal whose tasks and quota it uses: the first in the chain of those who shared. */
  readonly account: string;
  /** The group of browsers that share its limits. Absent if it is the first of them. */
  readonly group?: string;
};

/** The user whose session this is: on the same machine, or with the token that only this user can read. */
export const owner: Principal = { id: 'owner', scopes: ['admin'], via: 'owner' };

/** A caller without credentials where they are required; sees only what is public. */
export const nobody: Principal = { id: 'nobody', scopes: [], via: 'nothing' };

/** Anyone who may prompt or approve must be able to see the result. */
const implied: Readonly<Record<Scope, readonly Scope[]>> = {
  view: ['view'],
  prompt: ['prompt', 'view'],
  approve: ['approve', 'view'],
  metrics: ['metrics'],
  admin: scopes,
};

export function can(principal: Principal, scope: Scope): boolean {
  return principal.scopes.some((given) => implied[given].includes(scope));
}

/**
 * The callers that share limits on requests, connections, devices and codes. Without groups, a caller could pair many
 * browsers and get the limits of each. A browser that an admin paired starts a group, and the browsers it shares with
 * belong to it. All browsers that anybody else paired are one group. It does not include the principal itself, because
 * guests must not lock out their host.
 */
export function groupOf({ id, device }: Principal): string {
  return device?.group ?? id;
}

/** The group of the browsers that a principal pairs. Undefined if each begins its own. */
export function groupOfGuests(principal: Principal): string | undefined {
  if (principal.device) return groupOf(principal);
  return can(principal, 'admin') ? undefined : `devices of ${principal.id}`;
}

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
