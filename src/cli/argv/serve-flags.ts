import { endpointFlags } from './endpoint-flags.js';
import type { Flags, OptionsOf } from './flag.js';

const network = {
  port: {
    name: '--port',
    type: 'port',
    value: 'port',
    default: 41_242,
    env: 'CODER_AGENT_PORT',
    help: 'port to listen on; 0 picks a free one',
  },
  host: {
    name: '--host',
    type: 'text',
    value: 'address',
    default: '127.0.0.1',
    help: 'address to listen on; any address beyond loopback requires tokens or OIDC',
  },
  allowHosts: {
    name: '--allow-host',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'host name that clients may use',
  },
  trustedProxies: {
    name: '--trust-proxy',
    type: 'text',
    value: 'address',
    isRepeatable: true,
    help: 'proxy or network whose X-Forwarded-For is trusted',
  },
} as const satisfies Flags;

const access = {
  requireToken: {
    name: '--require-token',
    type: 'switch',
    help: 'require a token even on loopback; browsers have to pair',
  },
  tasks: {
    name: '--tasks',
    type: 'text',
    value: 'rule',
    choices: ['shared', 'private'],
    default: 'shared',
    help: 'shared: anyone with view sees all tasks; private: only their own, and admin sees all',
  },
  oidcIssuer: {
    name: '--oidc-issuer',
    type: 'text',
    value: 'url',
    help: 'accept access tokens (JWT) from this issuer',
  },
  oidcAudience: { name: '--oidc-audience', type: 'text', value: 'name', help: 'audience that the tokens must name' },
  oidcJwks: {
    name: '--oidc-jwks',
    type: 'text',
    value: 'url',
    help: "the issuer's keys, if discovery does not find them",
  },
  oidcScopeClaim: {
    name: '--oidc-scope-claim',
    type: 'text',
    value: 'name',
    help: 'claim that holds the scopes view, prompt, approve, metrics, admin (default: scope, scp or roles)',
  },
  oidcScopePrefix: {
    name: '--oidc-scope-prefix',
    type: 'text',
    value: 'text',
    help: 'prefix of the scope names in that claim',
  },
  rateLimit: {
    name: '--rate-limit',
    type: 'number',
    value: 'n',
    help: 'requests per second for each principal (default 20); 0 means no limit',
  },
  rateBurst: { name: '--rate-burst', type: 'number', value: 'n', help: 'requests allowed in a burst (default 200)' },
} as const satisfies Flags;

const work = {
  workspace: {
    name: '--workspace',
    type: 'text',
    value: 'folder',
    env: 'CODER_AGENT_WORKSPACE_PATH',
    help: 'workspace of tasks that do not name one (default: the current folder)',
  },
  workspaceRoots: {
    name: '--workspace-root',
    type: 'text',
    value: 'folder',
    isRepeatable: true,
    help: 'folder in which clients may choose a workspace',
  },
  pinnedRoots: {
    name: '--pinned-root',
    type: 'text',
    value: 'label=folder',
    isRepeatable: true,
    help: 'the same, but only servers with this label have it: its tasks run only there (needs --cluster)',
  },
  trust: {
    name: '--trust',
    type: 'text',
    value: 'rule',
    choices: ['settings', 'all', 'none'],
    default: 'settings',
    help: 'which workspaces are trusted: settings (as in the Gemini CLI), all, none',
  },
  store: {
    name: '--store',
    type: 'text',
    value: 'url',
    help: 'sqlite:[file] (default; with --demo memory:), memory:, postgres://…, gcs://bucket, s3://bucket',
  },
  cluster: {
    name: '--cluster',
    type: 'text',
    value: 'bus',
    help: 'be one server with others on the same postgres:// store: nats://host,host, tls://host,host or postgres',
  },
  clusterCreds: {
    name: '--cluster-creds',
    type: 'text',
    value: 'file',
    help: 'credentials for NATS: a .creds file or the seed of an nkey; required beyond loopback',
  },
  clusterCa: {
    name: '--cluster-ca',
    type: 'text',
    value: 'file',
    help: 'certificate authority of the NATS servers; turns on TLS, which is required beyond loopback',
  },
  engine: {
    name: '--engine',
    type: 'text',
    value: 'command',
    help: 'run this ACP agent instead of Gemini, e.g. "goose acp"',
  },
  engineEnv: {
    name: '--engine-env',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'variable to pass to the agent of --engine, such as its key; secrets are not passed by default',
  },
  isolate: { name: '--isolate', type: 'switch', help: 'run every task in its own process (90 MB each)' },
  mayAutoExecute: {
    name: '--allow-auto-execute',
    type: 'switch',
    help: 'clients may request auto-approval of all tools',
  },
  mayBringMcp: {
    name: '--allow-client-mcp',
    type: 'switch',
    help: 'ACP clients with the scope admin may bring MCP servers, which run on this machine',
  },
  allowTools: {
    name: '--allow-tool',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'tool that runs without approval',
  },
  demo: { name: '--demo', type: 'switch', help: 'use an offline scripted model: no key, no network' },
} as const satisfies Flags;

const limits = {
  maxRunning: {
    name: '--max-running',
    type: 'number',
    value: 'n',
    default: 32,
    help: 'turns that may run at once, not counting those that wait for an answer',
  },
  maxRunningPerOwner: {
    name: '--max-running-per-owner',
    type: 'number',
    value: 'n',
    help: "turns of one owner's tasks that may run at once, on all servers of a PostgreSQL store (default: no limit)",
  },
  maxQueued: {
    name: '--max-queued',
    type: 'number',
    value: 'n',
    default: 1000,
    help: 'turns that may wait; more are refused',
  },
  maxLoaded: {
    name: '--max-loaded',
    type: 'number',
    value: 'n',
    default: 1000,
    help: 'tasks kept in memory; beyond that, idle ones are unloaded',
  },
  idleMs: {
    name: '--idle-minutes',
    type: 'minutes',
    value: 'n',
    default: 30,
    help: 'unload a task after this many idle minutes',
  },
  ttlMs: {
    name: '--ttl-days',
    type: 'days',
    value: 'n',
    help: 'delete tasks unused for this many days (default: never)',
  },
  turnsPerTask: { name: '--max-turns', type: 'number', value: 'n', help: 'maximum turns per task' },
  tokensPerTask: { name: '--max-tokens', type: 'number', value: 'n', help: 'maximum tokens per task' },
  turnsPerDay: {
    name: '--max-turns-per-day',
    type: 'number',
    value: 'n',
    help: 'turns that a principal may start per UTC day, on all servers of the store',
  },
  tokensPerDay: {
    name: '--max-tokens-per-day',
    type: 'number',
    value: 'n',
    help: 'tokens after which a principal may start no more turns that UTC day',
  },
  callsPerTurn: { name: '--max-model-calls', type: 'number', value: 'n', help: 'maximum model calls per turn' },
  secondsPerTurn: {
    name: '--max-turn-seconds',
    type: 'number',
    value: 'n',
    default: 3600,
    help: 'how long a turn may run, not counting time spent waiting for answers; 0 means no limit',
  },
  denyAfterMs: {
    name: '--approval-timeout',
    type: 'seconds',
    value: 'seconds',
    help: 'deny a question that nobody answers within this time (default: wait forever)',
  },
  drainMs: {
    name: '--drain-seconds',
    type: 'seconds',
    value: 'n',
    default: 20,
    help: 'how long running turns may continue at shutdown',
  },
  leaseMs: {
    name: '--lease-seconds',
    type: 'seconds',
    value: 'n',
    help: 'how long after a crash another server on the same store takes over (default 30, with --cluster 6)',
  },
} as const satisfies Flags;

/** Flags of `cosession serve`. Each can also be set by a variable: `COSESSION_` plus its name, with two exceptions. */
export const serveFlags = {
  config: {
    name: '--config',
    type: 'text',
    value: 'file',
    help: 'TOML file with any of these flags, e.g. port = 41242; flags and variables win over it',
  },
  ...network,
  ...access,
  ...endpointFlags,
  ...work,
  ...limits,
  sealKey: {
    name: '--seal-key',
    type: 'text',
    value: 'file',
    help: 'file with the key that encrypts webhook secrets in the store, 32 bytes in base64; the same on all its servers',
  },
  auditDays: {
    name: '--audit-days',
    type: 'number',
    value: 'n',
    default: 365,
    help: 'how many days the audit log in the state folder is kept; 0 keeps it forever',
  },
  logLevel: {
    name: '--log-level',
    type: 'text',
    value: 'level',
    choices: ['debug', 'info', 'error'],
    default: 'info',
    help: 'debug, info or error',
  },
} as const satisfies Flags;

export type ServeFlags = OptionsOf<typeof serveFlags>;
