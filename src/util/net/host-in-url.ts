/** An IPv6 address needs brackets before a port. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
