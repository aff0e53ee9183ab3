import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { Cluster, ClusterOptions } from '../../cluster/open-cluster.js';
import { version } from '../../config/version.js';
import { pinnedRootsOf } from './pinned-roots.js';

/** Loaded only on request, so that it costs nothing otherwise. */
export async function openClusterIfAsked(
  { cluster, clusterCreds, clusterCa, store: storeUrl, leaseMs, turnEnd, ...options }: ServeOptions,
  parts: Pick<ClusterOptions, 'store' | 'know' | 'log' | 'onError'>,
): Promise<Cluster | undefined> {
  if (cluster === undefined) return undefined;
  const [{ openBus }, { openCluster }] = await Promise.all([
    import('../../cluster/bus/open-bus.js'),
    import('../../cluster/open-cluster.js'),
  ]);
  const { store, onError } = parts;
  const bus = await openBus({ cluster, clusterCreds, clusterCa }, { storeUrl, server: store.server, onError });
  return openCluster({ ...parts, bus, leaseMs, version, turnEnd, pinnedRoots: pinnedRootsOf(options.pinnedRoots) });
}
