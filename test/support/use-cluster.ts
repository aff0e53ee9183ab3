import { afterAll, beforeAll } from 'vitest';
import { type ClusteredServers, type ClusterSetup, startCluster } from './clustered-servers.js';
import { type NatsServer, startNats } from './nats.js';
import { usePostgres } from './use-postgres.js';

/** One cluster for all tests of a file, on a database and a NATS server of its own. */
export function useCluster(setup: Omit<ClusterSetup, 'store' | 'bus'>, database = usePostgres()): ClusteredServers {
  let nats: NatsServer | undefined;
  let cluster: ClusteredServers | undefined;
  beforeAll(async () => {
    nats = await startNats();
    cluster = await startCluster({ ...setup, store: await database.server.newPlace(), bus: nats.url });
  });
  afterAll(async () => {
    await cluster?.stop();
    await nats?.stop();
  });
  const started = (): ClusteredServers => {
    if (!cluster) throw new Error('the cluster is started before the first test');
    return cluster;
  };
  return {
    get servers() {
      return started().servers;
    },
    get balancer() {
      return started().balancer;
    },
    get token() {
      return started().token;
    },
    get store() {
      return started().store;
    },
    get workspace() {
      return started().workspace;
    },
    at: (index) => started().at(index),
    add: (more, env) => started().add(more, env),
    watch: (server, query) => started().watch(server, query),
    stop: () => started().stop(),
  };
}
