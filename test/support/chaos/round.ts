import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../model-server.js';
import { startNats } from '../nats.js';
import { type ServeProcess, spawnServe } from '../spawn-serve.js';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.js';
import { Cast } from './cast.js';
import { ChaosCluster, type ChaosMember } from './cluster.js';
import { checkAfterLife, checkAtEnd } from './checks/checks.js';
import { finish } from './finish.js';
import { grow } from './grow.js';
import { liveAndDie } from './life.js';
import { planRound } from './plan.js';
import { randomOf } from './random.js';
import { openReceiver } from './receiver.js';
import { chaosScript, runsFile } from './script.js';
import type { ChaosStore } from './stores/store.js';
import { Tally } from './tally.js';

export type RoundOptions = {
  readonly store: ChaosStore;
  readonly seed: number;
  readonly round: number;
  readonly kills: number;
  readonly cluster?: 'nats' | 'postgres';
  readonly onKilled?: () => void;
};

export type RoundOutcome = { readonly tally: Tally; readonly broken: readonly string[] };

/** Fewer than there are tasks: those that nobody uses are unloaded and opened again. */
const maxLoaded = 4;

const own = ['--allow-auto-execute', '--trust', 'all', '--push-allow', '*', '--rate-limit', '0'];

/** A server with nothing, killed so many times, and then left to finish: what was promised in all its lives holds. */
export async function runRound({ store, seed, round, kills, cluster, onKilled }: RoundOptions): Promise<RoundOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cosession-chaos-'));
  const random = randomOf(seed);
  const tally = new Tally();
  let number = 0;
  const newId = (): string => `r${round}n${++number}`;
  const children: ChildProcess[] = [];
  const place = await store.newPlace(folder);
  const model = await startModelServer(chaosScript);
  const receiver = await openReceiver(random);
  const cast = new Cast(newId);
  const start = (...args: string[]): Promise<ServeProcess> => {
    // A process that dies with core's lock in its hands keeps it for ten seconds: correct, and a waste of our time.
    rmSync(join(folder, 'home/.gemini/projects.json.lock'), { recursive: true, force: true });
    const options = { folder, modelUrl: model.url, args: [...place.args, ...own, ...args], env: place.env };
    return spawnServe(options, (child) => children.push(child));
  };
  const checked = {
    cast,
    view: place.view,
    stateDir: join(folder, 'state'),
    runs: join(folder, 'workspace', runsFile),
    receiver,
    tally,
  };
  const nats = cluster === 'nats' ? await startNats() : undefined;
  const sealKey = join(folder, 'seal.key');
  writeFileSync(sealKey, randomBytes(32).toString('base64'));
  let servers = 0;
  const proxies: TcpProxy[] = [];
  const wayTo = async (port: number): Promise<TcpProxy> => {
    const proxy = await startTcpProxy(port);
    proxies.push(proxy);
    return proxy;
  };
  /** Its own machine, but for the workspace, with its own ways to the store and the bus. */
  const startMember = async (...args: string[]): Promise<ChaosMember> => {
    const stored = place.args.join(' ');
    const storePort = Number(/:(\d+)\//.exec(stored)?.[1]);
    const ways = { store: await wayTo(storePort), ...(nats && { bus: await wayTo(nats.port) }) };
    const bus = ways.bus ? `nats://127.0.0.1:${ways.bus.port}` : 'postgres';
    const through = place.args.map((arg) => arg.replace(`:${storePort}/`, `:${ways.store.port}/`));
    const server = await spawnServe(
      {
        folder: join(folder, `server-${++servers}`),
        workspace: join(folder, 'workspace'),
        modelUrl: model.url,
        args: [...through, ...own, '--cluster', bus, '--seal-key', sealKey, '--drain-seconds', '2', ...args],
        env: place.env,
      },
      (child) => children.push(child),
    );
    return { server, ways };
  };
  const restartBus = nats && { restartBus: () => nats.restart() };
  const many = cluster && new ChaosCluster({ start: startMember, ...restartBus, random, tally });
  const live = (...args: string[]): Promise<ServeProcess> => many?.live(...args) ?? start(...args);
  const isCluster = cluster !== undefined;
  const broken: string[] = [];
  try {
    for (const [life, plan] of planRound(kills, round, place.outages, random).entries()) {
      const server = await live('--max-loaded', String(maxLoaded));
      if (life === 0) await grow(cast.long, { server, random, tally, newId, isCluster });
      await liveAndDie({ plan, cast, receiver, server, random, tally, newId, isCluster });
      broken.push(...(await checkAfterLife(checked)), ...(many?.broken ?? []));
      onKilled?.();
      if (broken.length > 0) return { tally, broken };
    }
    const server = await live();
    await finish({ cast, receiver, server, random, tally, newId, isCluster });
    broken.push(...(await checkAtEnd(checked, server)));
    return { tally, broken };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await receiver.close();
    await model.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await nats?.stop();
    await place.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
