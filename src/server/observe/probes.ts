const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/** Asked every few seconds by whoever watches the server: not worth a line or a span each time. */
export function isProbe(path: string): boolean {
  return probes.has(path);
}
