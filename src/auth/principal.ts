/** What somebody may do. `view` sees everything, `prompt` gives work, `approve` answers questions, `admin` may do all. */
export type Scope = 'view' | 'prompt' | 'approve' | 'admin';

export const scopes: readonly Scope[] = ['view', 'prompt', 'approve', 'admin'];

/** Who sent a request, as far as the server knows it; never as the client says it. */
export type Principal = {
  /** Stable: limits and logs go by it. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** How it was recognised. */
  readonly via: 'owner' | 'token' | 'oidc' | 'nothing';
  /** For those without credentials: why they need them here, and how to get them. */
  readonly advice?: string;
};

/** The user whose session this is: at the same machine, or with the token that only this user can read. */
export const owner: Principal = { id: 'owner', scopes: ['admin'], via: 'owner' };

/** Came without credentials where credentials are needed; may see what is public. */
export const nobody: Principal = { id: 'nobody', scopes: [], via: 'nothing' };

/** Who may prompt or approve must be able to see what comes of it. */
const implied: Readonly<Record<Scope, readonly Scope[]>> = {
  view: ['view'],
  prompt: ['prompt', 'view'],
  approve: ['approve', 'view'],
  admin: scopes,
};

export function can(principal: Principal, scope: Scope): boolean {
  return principal.scopes.some((given) => implied[given].includes(scope));
}

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
