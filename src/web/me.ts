export type Scope = 'view' | 'prompt' | 'approve' | 'admin';

/** Who this browser is to the server (`GET ui/me`). */
export type Me = {
  readonly name: string;
  readonly principal?: string;
  readonly scopes: readonly Scope[];
  readonly expires?: string;
  readonly mode: 'live' | 'serve';
  readonly version: string;
  /** Of a live endpoint: its only session. */
  readonly taskId?: string;
  readonly workspace?: string;
};

export function may(me: Me, scope: Scope): boolean {
  return me.scopes.includes('admin') || me.scopes.includes(scope);
}
