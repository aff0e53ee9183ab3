export type PageScope = 'view' | 'prompt' | 'approve' | 'admin';

/** Who this browser is to the server (`GET ui/me`). */
export type Me = {
  readonly name: string;
  readonly principal?: string;
  readonly scopes: readonly PageScope[];
  readonly expires?: string;
  readonly mode: 'live' | 'serve';
  readonly version: string;
  /** Of a live endpoint: its only session. */
  readonly taskId?: string;
  readonly workspace?: string;
};

/** Somebody who did something in the session. */
type Actor = { readonly surface: string; readonly client?: string; readonly principal?: string };

/** Whether it was done from this browser. The server numbers tabs of one name: `phone`, `phone 2`. */
export function isMe(me: Me, { surface, client, principal }: Actor): boolean {
  if (surface !== 'web') return false;
  if (me.principal !== undefined) return principal === me.principal;
  return principal === undefined && (client === me.name || client?.replace(/ \d+$/, '') === me.name);
}

export function may(me: Me, scope: PageScope): boolean {
  return me.scopes.includes('admin') || me.scopes.includes(scope);
}
