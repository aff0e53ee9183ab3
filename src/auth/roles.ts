import type { Scope } from './principal.js';

/** The roles that a link can grant. None of them has `admin`: a link never makes anybody the owner. */
export type Role = 'watch' | 'approve' | 'work';

export const roles = ['watch', 'approve', 'work'] as const satisfies readonly Role[];

export const roleScopes: Readonly<Record<Role, readonly Scope[]>> = {
  watch: ['view'],
  approve: ['view', 'approve'],
  work: ['view', 'prompt', 'approve'],
};

export function roleOf(scopes: readonly Scope[]): Role {
  if (scopes.includes('prompt')) return 'work';
  return scopes.includes('approve') ? 'approve' : 'watch';
}
