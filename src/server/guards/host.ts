import { AppError } from '../../domain/errors.js';
import type { Guard } from './guard.js';

/** `Host` for names that were allowed: with the port they were given with, else with ours or, behind a proxy, with none. */
export function allowedHosts(names: readonly string[], port: number): string[] {
  return names
    .map((name) => name.toLowerCase())
    .flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
}

/**
 * A page that has its own name resolve to 127.0.0.1 (DNS rebinding) reaches us with that name as
 * Host, and a GET of its "own" origin carries no Origin header: this is the one gate that stops it.
 */
export function hostGuard(hosts: readonly string[]): Guard {
  const allowed = new Set(hosts);
  return ({ headers }) => {
    if (allowed.has((headers.host ?? '').toLowerCase())) return;
    throw new AppError('host-not-allowed', `Host must be one of ${hosts.join(', ')}`);
  };
}
