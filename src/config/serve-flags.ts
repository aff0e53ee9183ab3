import { UsageError } from './flags.js';

/** One flag of `cosession serve`: on the command line, in the environment, and in the help. */
type Flag = {
  /** What the value is called in the help; without it the flag is a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  readonly env: string;
  readonly help: string;
};

export const serveFlags = {
  port: { value: 'port', env: 'CODER_AGENT_PORT', help: 'port to listen on (41242); 0 picks a free one' },
  host: {
    value: 'address',
    env: 'COSESSION_HOST',
    help: 'address to listen on (127.0.0.1); another needs tokens or OIDC',
  },
  'allow-host': {
    value: 'name',
    isRepeatable: true,
    env: 'COSESSION_ALLOW_HOST',
    help: 'host name under which clients may call',
  },
  'public-url': { value: 'url', env: 'COSESSION_PUBLIC_URL', help: 'address in the agent card, behind a proxy' },
  'require-token': { env: 'COSESSION_REQUIRE_TOKEN', help: 'on loopback too: who has no token is refused' },
  tasks: {
    value: 'rule',
    env: 'COSESSION_TASKS',
    help: 'shared (default): who may view sees all; private: only their own, admin sees all',
  },
  'oidc-issuer': { value: 'url', env: 'COSESSION_OIDC_ISSUER', help: 'accept access tokens (JWT) of this issuer' },
  'oidc-audience': { value: 'name', env: 'COSESSION_OIDC_AUDIENCE', help: 'the audience that they must name' },
  'oidc-jwks': { value: 'url', env: 'COSESSION_OIDC_JWKS', help: 'its keys, if discovery does not find them' },
  'oidc-scope-claim': {
    value: 'name',
    env: 'COSESSION_OIDC_SCOPE_CLAIM',
    help: 'the claim with view, prompt, approve, admin (scope, scp or roles)',
  },
  'oidc-scope-prefix': {
    value: 'text',
    env: 'COSESSION_OIDC_SCOPE_PREFIX',
    help: 'what stands before our scopes in it',
  },
  'rate-limit': {
    value: 'n',
    env: 'COSESSION_RATE_LIMIT',
    help: 'requests per second and principal (20); 0 is no limit',
  },
  'rate-burst': { value: 'n', env: 'COSESSION_RATE_BURST', help: 'requests at once (200)' },
  'trust-proxy': {
    value: 'address',
    isRepeatable: true,
    env: 'COSESSION_TRUST_PROXY',
    help: 'proxy or network whose X-Forwarded-For is believed',
  },
  'grpc-port': { value: 'port', env: 'COSESSION_GRPC_PORT', help: 'serve A2A over gRPC too' },
  workspace: {
    value: 'folder',
    env: 'CODER_AGENT_WORKSPACE_PATH',
    help: 'where tasks work that name no folder (here)',
  },
  'workspace-root': {
    value: 'folder',
    isRepeatable: true,
    env: 'COSESSION_WORKSPACE_ROOT',
    help: 'folder in which clients may choose a workspace',
  },
  trust: { value: 'rule', env: 'COSESSION_TRUST', help: 'trusted workspaces: settings (as the Gemini CLI), all, none' },
  store: {
    value: 'url',
    env: 'COSESSION_STORE',
    help: 'sqlite:[file] (default), memory:, postgres://…, gcs://bucket, s3://bucket',
  },
  engine: { value: 'command', env: 'COSESSION_ENGINE', help: 'an ACP agent instead of Gemini, such as "goose acp"' },
  'engine-env': {
    value: 'name',
    isRepeatable: true,
    env: 'COSESSION_ENGINE_ENV',
    help: 'variable that the agent of --engine gets, such as its key; secrets are left out otherwise',
  },
  isolate: { env: 'COSESSION_ISOLATE', help: 'every task in a process of its own (90 MB each)' },
  'max-running': {
    value: 'n',
    env: 'COSESSION_MAX_RUNNING',
    help: 'turns that run at once, without those that wait for an answer (32)',
  },
  'max-queued': { value: 'n', env: 'COSESSION_MAX_QUEUED', help: 'turns that may wait (1000); more are refused' },
  'max-loaded': { value: 'n', env: 'COSESSION_MAX_LOADED', help: 'tasks in memory (1000); idle ones are put away' },
  'idle-minutes': { value: 'n', env: 'COSESSION_IDLE_MINUTES', help: 'put a task away that nobody used (30)' },
  'ttl-days': { value: 'n', env: 'COSESSION_TTL_DAYS', help: 'delete tasks that nobody used (never)' },
  'max-turns': { value: 'n', env: 'COSESSION_MAX_TURNS', help: 'turns per task' },
  'max-tokens': { value: 'n', env: 'COSESSION_MAX_TOKENS', help: 'tokens per task' },
  'max-model-calls': { value: 'n', env: 'COSESSION_MAX_MODEL_CALLS', help: 'model calls per turn' },
  'max-turn-seconds': {
    value: 'n',
    env: 'COSESSION_MAX_TURN_SECONDS',
    help: 'how long a turn may work, without its questions (3600; 0 for no limit)',
  },
  'approval-timeout': {
    value: 'seconds',
    env: 'COSESSION_APPROVAL_TIMEOUT',
    help: 'a question nobody answered is a no (waits for ever)',
  },
  'turn-end': {
    value: 'state',
    env: 'COSESSION_TURN_END',
    help: 'completed (default) or input-required, as A2A tasks end',
  },
  'allow-tool': {
    value: 'name',
    isRepeatable: true,
    env: 'COSESSION_ALLOW_TOOL',
    help: 'tool that runs without being asked about',
  },
  'allow-auto-execute': { env: 'COSESSION_ALLOW_AUTO_EXECUTE', help: 'clients may ask that no tool is asked about' },
  'allow-client-mcp': {
    env: 'COSESSION_ALLOW_CLIENT_MCP',
    help: 'ACP clients with the scope admin may bring MCP servers: programs that run here',
  },
  'push-allow': {
    value: 'url',
    isRepeatable: true,
    env: 'COSESSION_PUSH_ALLOW',
    help: 'webhooks may be private at or below this address: same scheme, host, port, path segments',
  },
  'seal-key': {
    value: 'file',
    env: 'COSESSION_SEAL_KEY',
    help: 'key for the secrets of webhooks in the store, 32 bytes in base64; the same for all servers on it',
  },
  'acp-v2': { env: 'COSESSION_ACP_V2', help: 'ACP clients may speak version 2, a draft that changes' },
  'card-key': { value: 'file', env: 'COSESSION_CARD_KEY', help: 'sign the agent card with this private key (PEM)' },
  'drain-seconds': {
    value: 'n',
    env: 'COSESSION_DRAIN_SECONDS',
    help: 'how long running turns may go on at shutdown (20)',
  },
  'lease-seconds': {
    value: 'n',
    env: 'COSESSION_LEASE_SECONDS',
    help: 'after a crash, another server on the store takes over after so long (30)',
  },
  'log-level': { value: 'level', env: 'COSESSION_LOG_LEVEL', help: 'debug, info (default), error' },
  demo: { env: 'COSESSION_DEMO', help: 'offline scripted model: no key, no network' },
} as const satisfies Record<string, Flag>;

export type ServeFlag = keyof typeof serveFlags;

/** The given values, flags before the environment. */
export class Given {
  readonly #values = new Map<ServeFlag, string[]>();

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv) {
    for (const name of names) {
      const value = env[serveFlags[name].env];
      if (value !== undefined && value !== '')
        this.#values.set(name, flagOf(name).isRepeatable ? value.split(',') : [value]);
    }
    this.#read([...argv]);
  }

  text(name: ServeFlag): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  list(name: ServeFlag): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  isOn(name: ServeFlag): boolean {
    return this.#values.has(name) && !['0', 'false'].includes(this.text(name) ?? '');
  }

  number(name: ServeFlag): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d+(\.\d+)?$/.test(text)) return value;
    throw new UsageError(`--${name} must be a number, got "${text}"`);
  }

  #read(args: string[]): void {
    const seen = new Set<ServeFlag>();
    for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
      const [given = '', inline] = arg.replace(/^--/, '').split(/=(.*)/s);
      const name = names.find((known) => known === given);
      if (!arg.startsWith('--') || name === undefined)
        throw new UsageError(`cosession serve knows no "${arg}"; see cosession serve --help`);
      const value = flagOf(name).value === undefined ? 'true' : (inline ?? args.shift());
      if (value === undefined) throw new UsageError(`--${name} needs a value; see cosession serve --help`);
      // The command line replaces the environment, and repeats only itself.
      this.#values.set(name, flagOf(name).isRepeatable && seen.has(name) ? [...this.list(name), value] : [value]);
      seen.add(name);
    }
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const names = Object.keys(serveFlags) as ServeFlag[];

function flagOf(name: ServeFlag): Flag {
  return serveFlags[name];
}

export function serveHelp(): string {
  const lines = names.map((name) => {
    const { value, env, help } = flagOf(name);
    const left = value === undefined ? `--${name}` : `--${name} <${value}>`;
    return `  ${left.padEnd(28)}${help} [${env}]`;
  });
  return `cosession serve: many sessions without a terminal, durable and shared over A2A.

Usage
  cosession serve [flags]

Flags, each with its environment variable (lists there are separated by commas)
${lines.join('\n')}

The model
  GEMINI_API_KEY                the key; or log in as the Gemini CLI does (settings.json, Vertex AI)

Try it
  cosession serve --demo
  curl http://localhost:41242/.well-known/agent-card.json
  curl -N http://localhost:41242/message/stream -H 'content-type: application/json' \\
    -d '{"userMessage":{"kind":"text-content","text":"hello"}}'
`;
}
