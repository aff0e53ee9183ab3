import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { serve } from '../../src/apps/serve/app.js';
import { liveCard } from '../../src/apps/agent-cards.js';
import { type OpenServer, openServer } from '../../src/server/open-server.js';
import type { ServerLog } from '../../src/domain/server-log.js';
import { Session } from '../../src/session/session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import { memoryStore } from '../../src/stores/memory.js';
import { readServeOptions } from './read-serve-options.js';
import { ConformanceEngine, type ConformanceOptions } from './conformance-engine.js';

/** Where A2A is spoken. Of each only the engine is a stand-in. */
export const places = ['cosession serve, memory', 'cosession serve, SQLite', 'the live endpoint'] as const;
export type Place = (typeof places)[number];

export type AgentOptions = Partial<ConformanceOptions> &
  Pick<SessionOptions, 'turnEnd'> & {
    readonly place?: Place;
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
  const open = place === 'the live endpoint' ? openLive : openServe;
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

/** As `cosession serve` with these flags is composed. */
async function openServe({ options, folder, log, newEngine }: Setting): Promise<Opened> {
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
