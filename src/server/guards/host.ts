import { AppError } from '../../domain/errors.js';
import { isForwarded } from './forwarded.js';
import type { QuickGuard } from './guard.js';

/** `Host` values for allowed names: with the port in the name, otherwise with ours or, behind a proxy, with none. */
export function allowedHosts(names: readonly string[], port: number): string[] {
  return names
    .map((name) => name.toLowerCase())
    .flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
}

/**
 * A page whose own name resolves to 127.0.0.1 (DNS rebinding) reaches us with that name as Host.
 * A GET to its "own" origin has no Origin header, so only this guard stops it.
 */
export function hostGuard(hosts: readonly string[]): QuickGuard {
  const allowed = new Set(hosts);
  return ({ headers, socket }) => {
    if (allowed.has((headers.host ?? '').toLowerCase()) || isForwarded(headers.host, socket.localPort)) return;
    throw new AppError('host-not-allowed', `Host must be one of ${hosts.join(', ')}`);
  };
}
