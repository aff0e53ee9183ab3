import { parsePort, parsePushAllow, UsageError } from './flags.js';
import { Given } from './serve-flags.js';

/** What the operator of a server asked for. */
export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly publicUrl?: string;
  readonly grpcPort?: number;
  readonly requireToken: boolean;
  /** Everybody sees only the tasks they made, but for `admin`. */
  readonly privateTasks: boolean;
  readonly oidc?: {
    readonly issuer: string;
    readonly audience: string;
    readonly jwksUrl?: string;
    readonly scopeClaim?: string;
    readonly scopePrefix?: string;
  };
  /** `perSecond` 0: no limit. */
  readonly rate: { readonly perSecond?: number | undefined; readonly burst?: number | undefined };
  readonly trustedProxies: readonly string[];
  readonly workspace: string;
  readonly workspaceRoots: readonly string[];
  readonly trust: boolean | 'settings';
  readonly store: string;
  readonly engine?: string;
  /** Every task in a process of its own. */
  readonly isolate: boolean;
  /** Variables that the engine's process gets although they look like secrets. */
  readonly engineEnv: readonly string[];
  readonly maxRunning: number;
  readonly maxQueued: number;
  readonly maxLoaded: number;
  readonly idleMs: number;
  readonly ttlMs?: number;
  readonly budget: {
    readonly turnsPerTask?: number | undefined;
    readonly tokensPerTask?: number | undefined;
    readonly callsPerTurn?: number | undefined;
  };
  /** How long a turn may work. */
  readonly secondsPerTurn?: number | undefined;
  readonly approvals: { readonly allow: readonly string[]; readonly denyAfterMs?: number };
  readonly mayAutoExecute: boolean;
  readonly mayBringMcp: boolean;
  readonly turnEnd?: 'completed' | 'input-required';
  readonly pushAllow: readonly string[];
  /** The file of the key that seals what is secret in the store; without it one in the state folder. */
  readonly sealKey?: string;
  readonly acpV2: boolean;
  readonly cardKey?: string;
  readonly drainMs: number;
  /** How long other servers on the store wait for this one before they take over its tasks. */
  readonly leaseMs: number;
  readonly logLevel: 'debug' | 'info' | 'error';
  readonly demo: boolean;
};

export function readServeOptions(argv: readonly string[], env: NodeJS.ProcessEnv, folder: string): ServeOptions {
  const given = new Given(argv, env);
  const publicUrl = given.text('public-url');
  const grpcPort = given.text('grpc-port');
  const engine = given.text('engine');
  const ttlDays = given.number('ttl-days');
  const timeout = given.number('approval-timeout');
  const cardKey = given.text('card-key');
  const sealKey = given.text('seal-key');
  const demo = given.isOn('demo');
  return {
    port: parsePort(given.text('port') ?? '41242'),
    host: given.text('host') ?? '127.0.0.1',
    allowHosts: given.list('allow-host'),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(grpcPort === undefined ? {} : { grpcPort: parsePort(grpcPort) }),
    requireToken: given.isOn('require-token'),
    privateTasks: arePrivate(given.text('tasks')),
    ...oidcOf(given),
    rate: { perSecond: given.number('rate-limit'), burst: given.number('rate-burst') },
    trustedProxies: given.list('trust-proxy'),
    workspace: given.text('workspace') ?? folder,
    workspaceRoots: given.list('workspace-root'),
    // A demo is started in repositories that somebody has just cloned.
    trust: demo ? false : trustOf(given.text('trust')),
    store: given.text('store') ?? defaultStore(env, demo),
    ...(engine === undefined ? {} : { engine }),
    engineEnv: given.list('engine-env'),
    isolate: given.isOn('isolate'),
    maxRunning: given.number('max-running') ?? 32,
    maxQueued: given.number('max-queued') ?? 1000,
    maxLoaded: given.number('max-loaded') ?? 1000,
    idleMs: (given.number('idle-minutes') ?? 30) * 60_000,
    ...(ttlDays === undefined ? {} : { ttlMs: ttlDays * 86_400_000 }),
    budget: {
      turnsPerTask: given.number('max-turns'),
      tokensPerTask: given.number('max-tokens'),
      callsPerTurn: given.number('max-model-calls'),
    },
    secondsPerTurn: (given.number('max-turn-seconds') ?? 3600) || undefined,
    approvals: { allow: given.list('allow-tool'), ...(timeout === undefined ? {} : { denyAfterMs: timeout * 1000 }) },
    mayAutoExecute: given.isOn('allow-auto-execute'),
    mayBringMcp: given.isOn('allow-client-mcp'),
    ...turnEndOf(given.text('turn-end')),
    pushAllow: given.list('push-allow').map(parsePushAllow),
    ...(sealKey === undefined ? {} : { sealKey }),
    acpV2: given.isOn('acp-v2'),
    ...(cardKey === undefined ? {} : { cardKey }),
    drainMs: (given.number('drain-seconds') ?? 20) * 1000,
    leaseMs: (given.number('lease-seconds') || 30) * 1000,
    logLevel: logLevelOf(given.text('log-level') ?? 'info'),
    demo,
  };
}

/** Who has a bucket for the server of seed 003 keeps it. A demo leaves nothing behind. */
function defaultStore(env: NodeJS.ProcessEnv, demo: boolean): string {
  if (demo) return 'memory:';
  const bucket = env['A2A_GCS_BUCKET'] || env['GCS_BUCKET_NAME'];
  return bucket ? `gcs://${bucket}` : 'sqlite:';
}

function oidcOf(given: Given): Pick<ServeOptions, 'oidc'> {
  const issuer = given.text('oidc-issuer');
  const audience = given.text('oidc-audience');
  if (issuer === undefined) return {};
  if (audience === undefined)
    throw new UsageError('--oidc-issuer needs --oidc-audience: tokens for others are not for us');
  if (!URL.canParse(issuer)) throw new UsageError(`--oidc-issuer must be a URL, got "${issuer}"`);
  const jwksUrl = given.text('oidc-jwks');
  const scopeClaim = given.text('oidc-scope-claim');
  const scopePrefix = given.text('oidc-scope-prefix');
  return {
    oidc: {
      issuer,
      audience,
      ...(jwksUrl === undefined ? {} : { jwksUrl }),
      ...(scopeClaim === undefined ? {} : { scopeClaim }),
      ...(scopePrefix === undefined ? {} : { scopePrefix }),
    },
  };
}

function turnEndOf(text: string | undefined): Pick<ServeOptions, 'turnEnd'> {
  if (text === undefined) return {};
  if (text === 'completed' || text === 'input-required') return { turnEnd: text };
  throw new UsageError(`--turn-end must be completed or input-required, got "${text}"`);
}

function arePrivate(text = 'shared'): boolean {
  if (text === 'shared' || text === 'private') return text === 'private';
  throw new UsageError(`--tasks must be shared or private, got "${text}"`);
}

function trustOf(text = 'settings'): boolean | 'settings' {
  if (text === 'settings') return text;
  if (text === 'all' || text === 'none') return text === 'all';
  throw new UsageError(`--trust must be settings, all or none, got "${text}"`);
}

function logLevelOf(text: string): 'debug' | 'info' | 'error' {
  if (text === 'debug' || text === 'info' || text === 'error') return text;
  throw new UsageError(`--log-level must be debug, info or error, got "${text}"`);
}
