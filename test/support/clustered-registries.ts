import { openCluster } from '../../src/cluster/open-cluster.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { MemoryBus } from './memory-bus.js';
import { manualRegistry } from './served-registry.js';
import { temporaryFolder } from './temporary-folder.js';

/** Real registries on manual engines, on one store, with a bus that may lose what is published. */
export async function clusterRegistries(count: number, loses: (taskId: string) => boolean = () => false) {
  const bus = new MemoryBus(loses);
  const folder = temporaryFolder();
  const open = async (server: string) => {
    const store: Store = await openStore(`sqlite:${folder}/store.db`, { stateDir: folder, env: {}, server });
    await store.saveServer({ leaseMs: 600_000 });
    const cluster = openCluster({
      bus: bus.join(server),
      store,
      leaseMs: 600_000,
      version: '0.0.0',
      lookMs: 20,
      log: { debug: () => {}, info: () => {}, error: () => {} },
      onError: (error) => {
        throw error;
      },
    });
    const { registry, engine } = manualRegistry({
      workspace: folder,
      store: cluster.store,
      elsewhere: (taskId) => cluster.elsewhere(taskId),
    });
    const joined = cluster.join(registry, async () => {});
    let stopped: Promise<void> | undefined;
    /** Releases its tasks and leaves. */
    const stop = (): Promise<void> => (stopped ??= registry.close(0).then(() => joined.close()));
    return { server, store, registry, engine, stop, ...joined };
  };
  type Member = Awaited<ReturnType<typeof open>>;
  const members: Member[] = [];
  for (let number = 1; number <= count; number++) members.push(await open(`server-${number}`));
  return {
    members,
    async close() {
      for (const { stop } of members) await stop();
    },
  };
}

export type ClusterMember = Awaited<ReturnType<typeof clusterRegistries>>['members'][number];
