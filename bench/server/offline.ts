/** For `node --import`: only loopback is found. Keeps statistics, updates and the like of others on this machine. */
export const offline = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  const { lookup } = dns;
  dns.lookup = (host, ...rest) => lookup(/^(localhost|127\\.0\\.0\\.1)$/.test(host) ? host : 'offline.invalid', ...rest);
`)}`;
