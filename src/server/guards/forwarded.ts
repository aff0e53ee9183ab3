const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d+))?$/i;

/**
 * Whether `Host` names this machine with a port other than ours. Such a request came through a forwarded port, as with
 * `ssh -L 9000:127.0.0.1:41243`. No other web page can send it: a rebound name is never one of these.
 */
export function isForwarded(host: string | undefined, port: number | undefined): boolean {
  const found = loopback.exec(host ?? '');
  return found !== null && Number(found[1] ?? 0) !== port;
}
