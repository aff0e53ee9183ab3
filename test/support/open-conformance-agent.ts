import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { Tokens } from '../../src/auth/tokens.js';
import { openStoredTokens } from '../../src/stores/open-tokens.js';
import { serve } from '../../src/apps/serve/app.js';
import { liveCard } from '../../src/apps/agent-cards.js';
import { type OpenServer, openServer } from '../../src/server/open-server.js';
import type { ServerLog } from '../../src/domain/server-log.js';
import { Session } from '../../src/session/session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import { memoryStore } from '../../src/stores/memory.js';
import { readServeOptions } from './read-serve-options.js';
import { startRoundRobin } from './round-robin.js';
import { ConformanceEngine, type ConformanceOptions } from './conformance-engine.js';

/** Where A2A is spoken. Of each only the engine is a stand-in. */
export const places = ['cosession serve, memory', 'cosession serve, SQLite', 'the live endpoint'] as const;
/** The same behind a load balancer, on a database and its bus. */
export type Place = (typeof places)[number] | 'three servers of a cluster';

export type AgentOptions = Partial<ConformanceOptions> &
  Pick<SessionOptions, 'turnEnd'> & {
    readonly place?: Place;
    /** The URL of an empty database, for a cluster. */
    readonly newStore?: () => Promise<string>;
    readonly port?: number;
    readonly grpcPort?: number;
    readonly requireToken?: boolean;
    /** In PEM. */
    readonly cardKey?: string;
  };

export type ConformanceAgent = OpenServer & {
  readonly place: Place;
  /** Opens everything. */
  readonly token: string;
  /** What the server wrote into its log as an error. */
  readonly errors: readonly { message: string; facts: object }[];
};

type Setting = {
  readonly options: AgentOptions;
  readonly folder: string;
  readonly log: ServerLog;
  readonly newEngine: () => ConformanceEngine;
};

type Opened = { readonly server: OpenServer; readonly token: string; readonly close: () => Promise<void> };

/** The product's own server over a scripted engine. */
export async function openConformanceAgent(options: AgentOptions = {}): Promise<ConformanceAgent> {
  const { streamingTimeoutMs = 2000, isLegacyKit = false, place = 'cosession serve, memory' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'cosession-agent-'));
  const errors: { message: string; facts: object }[] = [];
  const error = (message: string, facts: object = {}): void => void errors.push({ message, facts });
  const log = { debug: () => {}, info: () => {}, error };
  const newEngine = (): ConformanceEngine => new ConformanceEngine({ streamingTimeoutMs, isLegacyKit });
  const open = openers[place] ?? openServe;
  const { server, token, close } = await open({ options: { ...options, place }, folder, log, newEngine });
  return {
    ...server,
    place,
    token,
    errors,
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As `cosession serve` with these flags is composed. `more`: flags and the state folder of one of several. */
async function openServe(
  { options, folder, log, newEngine }: Setting,
  more: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const { place, port = 0, grpcPort = 0, requireToken = false, turnEnd, cardKey } = options;
  const keyFile = join(folder, 'card-key.pem');
  if (cardKey !== undefined) writeFileSync(keyFile, cardKey);
  const flags = {
    port: String(port),
    'grpc-port': String(grpcPort),
    store: place === 'cosession serve, SQLite' ? 'sqlite:' : 'memory:',
    'push-allow': '*',
    'rate-limit': '0',
    'drain-seconds': '0',
    ...(turnEnd === undefined ? {} : { 'turn-end': turnEnd }),
    ...(cardKey === undefined ? {} : { 'card-key': keyFile }),
    ...more,
  };
  const argv = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  if (requireToken) argv.push('--require-token');
  const stateDir = join(folder, 'state');
  const token = await new TokenFolder(stateDir).create({ name: 'kit', scopes: ['admin'] });
  const engines = {
    workspace: () => folder,
    open: newEngine,
    commands: async () => newEngine().commands(),
    run: async () => ({ text: '' }),
  };
  return {
    token,
    ...(await serve(readServeOptions(argv, {}, folder), { env: {}, isHidden: true, stateDir, engines, log })),
  };
}

/** Everything that a client sends goes to the next of three servers, connection by connection. */
async function openCluster(setting: Setting): Promise<Opened> {
  const { options, folder } = setting;
  const store = (await options.newStore?.()) ?? '';
  const sealKey = join(folder, 'seal.key');
  writeFileSync(sealKey, randomBytes(32).toString('base64'));
  const opened: Opened[] = [];
  const balancer = await startRoundRobin(() => opened.map(({ server }) => server.port));
  const grpcBalancer = await startRoundRobin(() => opened.map(({ server }) => server.grpcPort ?? 0));
  const url = `${balancer.base}/`;
  const flags = { store, cluster: 'postgres', 'seal-key': sealKey, 'public-url': url };
  for (const number of [1, 2, 3]) {
    const own = join(folder, `server-${number}`);
    mkdirSync(own);
    opened.push(await openServe({ ...setting, folder: own }, flags));
  }
  const [first] = opened;
  if (!first) throw new Error('no server was opened');
  const stored = await openStoredTokens(store);
  const token = await new Tokens(stored).create({ name: 'client', scopes: ['admin'] });
  await stored.close();
  return {
    token,
    server: { ...first.server, url, port: balancer.port, grpcPort: grpcBalancer.port },
    async close() {
      for (const each of [balancer, grpcBalancer]) each.close();
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

const openers: { readonly [place in Place]?: (setting: Setting) => Promise<Opened> } = {
  'the live endpoint': openLive,
  'three servers of a cluster': openCluster,
};

/** As the Gemini CLI's process opens its endpoint. */
async function openLive({ options, log, newEngine }: Setting): Promise<Opened> {
  const { port = 0, grpcPort = 0, requireToken = false, turnEnd = 'completed', cardKey } = options;
  const token = 'conformance';
  const store = memoryStore();
  const session = new Session({ id: 'shared-session', engine: newEngine(), store, model: 'scripted', turnEnd });
  const server = await openServer({
    session,
    card: liveCard,
    port,
    grpcPort,
    token,
    requireToken,
    ...(cardKey === undefined ? {} : { cardKey }),
    pushAllow: ['*'],
    version: '0.0.0',
    log,
    presence: { joined: () => {}, left: () => {} },
  });
  return { server, token, close: () => server.close() };
}
