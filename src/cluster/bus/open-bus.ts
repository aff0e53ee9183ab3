import { UsageError } from '../../util/usage-error.js';
import type { Bus } from './bus.js';

export type ClusterFlags = {
  /** `nats://a,b,c`, `tls://a,b,c`, or `postgres` for the store's own database. */
  readonly cluster: string;
  readonly clusterCreds?: string | undefined;
  readonly clusterCa?: string | undefined;
};

export type BusContext = {
  readonly storeUrl: string;
  readonly server: string;
  readonly onError: (error: unknown) => void;
};

/** Throws a `UsageError` if the flags would let others speak for this cluster. */
export function checkClusterFlags({ cluster, clusterCreds, clusterCa }: ClusterFlags, storeUrl: string): void {
  if (!/^postgres(ql)?:/.test(storeUrl))
    throw new UsageError('--cluster needs --store postgres://…: the servers agree through it on who runs which task');
  if (cluster === 'postgres') return;
  if (!/^(nats|tls):\/\/./.test(cluster))
    throw new UsageError(`--cluster must be "postgres", nats://host,host or tls://host,host, got "${cluster}"`);
  if (/^[a-z]+:\/\/[^/]*@/.test(cluster))
    throw new UsageError('--cluster: other users could read a password on the command line; use --cluster-creds');
  if (hostsIn(cluster).every(isLocal)) return;
  const missing = [
    ...(clusterCreds === undefined ? ['--cluster-creds'] : []),
    ...(clusterCa === undefined && !cluster.startsWith('tls://') ? ['--cluster-ca, or tls:// instead of nats://'] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(
      `--cluster: anyone who can write to the bus can prompt every agent, so beyond loopback it needs ${missing.join(' and ')}`,
    );
}

/** Only the chosen bus is loaded. */
export async function openBus(flags: ClusterFlags, { storeUrl, server, onError }: BusContext): Promise<Bus> {
  checkClusterFlags(flags, storeUrl);
  const { cluster: url, clusterCreds: creds, clusterCa: ca } = flags;
  if (url === 'postgres') {
    const { openPostgresBus } = await import('./postgres-bus.js');
    return openPostgresBus({ url: storeUrl, server, onError });
  }
  const { openNatsBus } = await import('./nats-bus.js');
  const files = { ...(creds !== undefined && { creds }), ...(ca !== undefined && { ca }) };
  return openNatsBus({ url, server, ...files, onError });
}

function hostsIn(cluster: string): string[] {
  const places = cluster.replace(/^[a-z]+:\/\//, '').split(',');
  return places.map((place) => new URL(`http://${place}`).hostname);
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
