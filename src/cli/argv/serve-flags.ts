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
    help: 'address to listen on; another than the default needs tokens or OIDC',
  },
  allowHosts: {
    name: '--allow-host',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'host name under which clients may call',
  },
  publicUrl: {
    name: '--public-url',
    type: 'text',
    value: 'url',
    help: 'address in the agent card, behind a proxy',
  },
  trustedProxies: {
    name: '--trust-proxy',
    type: 'text',
    value: 'address',
    isRepeatable: true,
    help: 'proxy or network whose X-Forwarded-For is believed',
  },
} as const satisfies Flags;

const access = {
  requireToken: {
    name: '--require-token',
    type: 'switch',
    help: 'on loopback too: anyone without a token is refused',
  },
  tasks: {
    name: '--tasks',
    type: 'text',
    value: 'rule',
    choices: ['shared', 'private'],
    default: 'shared',
    help: 'shared: anyone who may view sees all; private: only their own, admin sees all',
  },
  oidcIssuer: {
    name: '--oidc-issuer',
    type: 'text',
    value: 'url',
    help: 'accept access tokens (JWT) of this issuer',
  },
  oidcAudience: { name: '--oidc-audience', type: 'text', value: 'name', help: 'the audience that they must name' },
  oidcJwks: { name: '--oidc-jwks', type: 'text', value: 'url', help: 'its keys, if discovery does not find them' },
  oidcScopeClaim: {
    name: '--oidc-scope-claim',
    type: 'text',
    value: 'name',
    help: 'the claim with view, prompt, approve, admin (scope, scp or roles)',
  },
  oidcScopePrefix: {
    name: '--oidc-scope-prefix',
    type: 'text',
    value: 'text',
    help: 'prefix of our scopes in that claim',
  },
  rateLimit: {
    name: '--rate-limit',
    type: 'number',
    value: 'n',
    help: 'requests per second and principal (default 20); 0 is no limit',
  },
  rateBurst: { name: '--rate-burst', type: 'number', value: 'n', help: 'requests at once (default 200)' },
} as const satisfies Flags;

const work = {
  workspace: {
    name: '--workspace',
    type: 'text',
    value: 'folder',
    env: 'CODER_AGENT_WORKSPACE_PATH',
    help: 'workspace of tasks that name none (default: the current folder)',
  },
  workspaceRoots: {
    name: '--workspace-root',
    type: 'text',
    value: 'folder',
    isRepeatable: true,
    help: 'folder in which clients may choose a workspace',
  },
  trust: {
    name: '--trust',
    type: 'text',
    value: 'rule',
    choices: ['settings', 'all', 'none'],
    default: 'settings',
    help: 'trusted workspaces: settings (as the Gemini CLI), all, none',
  },
  store: {
    name: '--store',
    type: 'text',
    value: 'url',
    help: 'sqlite:[file] (default; with --demo memory:), memory:, postgres://…, gcs://bucket, s3://bucket',
  },
  engine: {
    name: '--engine',
    type: 'text',
    value: 'command',
    help: 'an ACP agent instead of Gemini, such as "goose acp"',
  },
  engineEnv: {
    name: '--engine-env',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'variable that the agent of --engine gets, such as its key; secrets are left out otherwise',
  },
  isolate: { name: '--isolate', type: 'switch', help: 'every task in a process of its own (90 MB each)' },
  mayAutoExecute: {
    name: '--allow-auto-execute',
    type: 'switch',
    help: 'clients may request auto-approval of all tools',
  },
  mayBringMcp: {
    name: '--allow-client-mcp',
    type: 'switch',
    help: 'ACP clients with the scope admin may bring MCP servers: programs that run here',
  },
  allowTools: {
    name: '--allow-tool',
    type: 'text',
    value: 'name',
    isRepeatable: true,
    help: 'tool that runs without being asked about',
  },
  demo: { name: '--demo', type: 'switch', help: 'offline scripted model: no key, no network' },
} as const satisfies Flags;

const limits = {
  maxRunning: {
    name: '--max-running',
    type: 'number',
    value: 'n',
    default: 32,
    help: 'turns that run at once, without those that wait for an answer',
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
    help: 'tasks in memory; idle ones are unloaded',
  },
  idleMs: {
    name: '--idle-minutes',
    type: 'minutes',
    value: 'n',
    default: 30,
    help: 'unload a task after so many idle minutes',
  },
  ttlMs: { name: '--ttl-days', type: 'days', value: 'n', help: 'delete tasks that nobody used (default: never)' },
  turnsPerTask: { name: '--max-turns', type: 'number', value: 'n', help: 'turns per task' },
  tokensPerTask: { name: '--max-tokens', type: 'number', value: 'n', help: 'tokens per task' },
  callsPerTurn: { name: '--max-model-calls', type: 'number', value: 'n', help: 'model calls per turn' },
  secondsPerTurn: {
    name: '--max-turn-seconds',
    type: 'number',
    value: 'n',
    default: 3600,
    help: 'how long a turn may work, without its questions; 0 is no limit',
  },
  denyAfterMs: {
    name: '--approval-timeout',
    type: 'seconds',
    value: 'seconds',
    help: 'a question that nobody answers in this time is denied (default: waits for ever)',
  },
  drainMs: {
    name: '--drain-seconds',
    type: 'seconds',
    value: 'n',
    default: 20,
    help: 'how long running turns may go on at shutdown',
  },
  leaseMs: {
    name: '--lease-seconds',
    type: 'seconds',
    value: 'n',
    default: 30,
    help: 'after a crash, another server on the store takes over after so long',
  },
} as const satisfies Flags;

/** Flags of `cosession serve`. Each can be set by a variable too, `COSESSION_` and its name but for two. */
export const serveFlags = {
  ...network,
  ...access,
  ...endpointFlags,
  ...work,
  ...limits,
  sealKey: {
    name: '--seal-key',
    type: 'text',
    value: 'file',
    help: 'key for the secrets of webhooks in the store, 32 bytes in base64; the same for all servers on it',
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
