const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/** Monitoring calls these every few seconds, so they get no log line and no span. */
export function isProbe(path: string): boolean {
  return probes.has(path);
}
