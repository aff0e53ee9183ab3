import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokens } from '../../src/auth/tokens.js';
import { openStoredTokens } from '../../src/stores/open-tokens.js';
import { type RoundRobin, startRoundRobin } from './round-robin.js';
import { type ServeProcess, spawnServe } from './spawn-serve.js';
import { temporaryFolder } from './temporary-folder.js';
import { WireClient } from './wire-client.js';

export type ClusterSetup = {
  readonly modelUrl: string;
  readonly store: string;
  /** What `--cluster` gets. */
  readonly bus: string;
  readonly count?: number;
  readonly args?: readonly string[];
};

export type ClusteredServers = {
  readonly servers: readonly ServeProcess[];
  readonly balancer: RoundRobin;
  /** Whoever comes through the balancer needs one: it could come from anywhere. */
  readonly token: string;
  readonly store: string;
  /** The folder that all agents work in. */
  readonly workspace: string;
  at(index: number): ServeProcess;
  /** Starts one more, with these arguments and variables of its own. */
  add(more?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ServeProcess>;
  /** A WebSocket to one of the servers. */
  watch(server: { readonly base: string }, query: string): Promise<WireClient>;
  stop(): Promise<void>;
};

/** The built `cosession serve`, several times on one store and one bus, behind a load balancer. */
export async function startCluster(setup: ClusterSetup): Promise<ClusteredServers> {
  const { modelUrl, store, bus, count = 3, args = [] } = setup;
  const workspace = join(temporaryFolder(), 'workspace');
  const shared = temporaryFolder();
  const stored = await openStoredTokens(store);
  const token = await new Tokens(stored).create({ name: 'ada', scopes: ['admin'] });
  await stored.close();
  const sealKey = join(shared, 'seal.key');
  writeFileSync(sealKey, randomBytes(32).toString('base64'));
  const children: ChildProcess[] = [];
  const servers: ServeProcess[] = [];
  const clients: WireClient[] = [];
  const add: ClusteredServers['add'] = async (more = [], env = {}) => {
    const folder = temporaryFolder();
    const given = [
      '--seal-key',
      sealKey,
      '--store',
      store,
      '--cluster',
      bus,
      '--workspace',
      workspace,
      ...args,
      ...more,
    ];
    const server = await spawnServe({ folder, modelUrl, args: given, workspace, env }, (child) => children.push(child));
    servers.push(server);
    return server;
  };
  await Promise.all(Array.from({ length: count }, () => add()));
  const balancer = await startRoundRobin(() => servers.map(({ base }) => Number(new URL(base).port)));
  return {
    servers,
    balancer,
    token,
    store,
    workspace,
    at(index) {
      const server = servers[index];
      if (!server) throw new Error(`there is no server ${index}`);
      return server;
    },
    add,
    async watch({ base }, query) {
      const client = await WireClient.connect(`${base.replace('http', 'ws')}/ws?${query}`);
      clients.push(client);
      return client;
    },
    async stop() {
      balancer.close();
      for (const client of clients) client.socket.terminate();
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(servers.map(({ exit }) => exit));
    },
  };
}
