import type { EngineRequest } from '../../src/engine/task-engine.js';
import { resolveWorkspace } from '../../src/engine/headless/workspace.js';
import { serverCard } from '../../src/apps/agent-cards.js';
import { openServer, type ServerSettings } from '../../src/server/open-server.js';
import { Claims } from '../../src/tasks/claims.js';
import { Registry } from '../../src/tasks/registry.js';
import type { RegistryOptions } from '../../src/tasks/registry-options.js';
import type { Store } from '../../src/stores/store.js';
import { ManualEngine } from './manual-engine.js';

/** An engine that goes on with whatever a restart interrupted. */
class ManualTaskEngine extends ManualEngine {
  readonly request: EngineRequest;
  isDisposed = false;

  constructor(request: EngineRequest) {
    super();
    this.request = request;
  }

  resume(): boolean {
    this.isReady = false;
    return true;
  }

  async tools() {
    return { tools: [], mcpServers: [] };
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
  }
}

export type ManualRegistryOptions = Partial<RegistryOptions> & {
  readonly workspace: string;
  readonly store: Store;
  readonly forget?: (id: string) => Promise<void>;
};

/** The real registry on manual engines. */
export function manualRegistry({ workspace, forget = async () => {}, ...options }: ManualRegistryOptions) {
  const engines = new Map<string, ManualTaskEngine>();
  const onError = (error: unknown): void => {
    throw error;
  };
  const registry = new Registry({
    claims: new Claims({ store: options.store, leaseMs: 30_000, onError }),
    engines: {
      workspace: (requested) => resolveWorkspace(requested, { roots: [], defaultWorkspace: workspace }),
      open(request) {
        const engine = new ManualTaskEngine(request);
        engines.set(request.id, engine);
        return engine;
      },
      forget,
      commands: async () => [],
      run: async () => ({ text: '' }),
    },
    policy: { allow: [] },
    mayAutoExecute: false,
    maxLoaded: 100,
    idleMs: 60_000,
    maxQueued: 100,
    load: () => ({ running: 0, queued: 0, isFull: false }),
    onLost: () => {},
    onError,
    ...options,
  });
  const engine = (id: string): ManualTaskEngine => {
    const found = engines.get(id);
    if (!found) throw new Error(`no engine of ${id}`);
    return found;
  };
  return { registry, engines, engine };
}

/** The real registry behind the real server, on manual engines. */
export async function serveRegistry(
  options: ManualRegistryOptions,
  settings: Partial<ServerSettings> & { arePrivate?: boolean } = {},
) {
  const { registry, engines, engine } = manualRegistry(options);
  const server = await openServer({
    tasks: registry,
    card: serverCard,
    port: 0,
    token: 'test-token',
    requireToken: false,
    version: '0.0.0',
    log: { debug: () => {}, info: () => {}, error: () => {} },
    presence: { joined: () => {}, left: () => {} },
    ...settings,
  });
  return {
    registry,
    engines,
    server,
    engine,
    async stop(): Promise<void> {
      await server.close();
      await registry.close(0);
    },
  };
}
