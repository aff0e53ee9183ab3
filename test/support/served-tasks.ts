import { serverCard } from '../../src/apps/agent-cards.js';
import { openServer, type ServerSettings } from '../../src/server/open-server.js';
import { ManualTasks } from './manual-tasks.js';
import { until } from './until.js';
import { WireClient } from './wire-client.js';

/** Many tasks behind the real server, on a free port of loopback. */
export async function serveTasks(settings: Partial<ServerSettings> = {}) {
  const tasks = new ManualTasks();
  const errors: { message: string; facts: object }[] = [];
  const server = await openServer({
    tasks,
    card: serverCard,
    port: 0,
    token: 'test-token',
    requireToken: false,
    version: '1.2.3',
    log: { debug: () => {}, info: () => {}, error: (message, facts = {}) => void errors.push({ message, facts }) },
    presence: { joined: () => {}, left: () => {} },
    ...settings,
  });
  const clients: WireClient[] = [];
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    tasks,
    errors,
    server,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown = {}, headers: Record<string, string> = {}) => send('POST', path, body, headers),
    remove: (path: string) => send('DELETE', path),
    /** The engine of a task, once a turn was started on it. */
    async started(id: string, turns = 1) {
      return until(() => {
        const engine = tasks.engines.get(id);
        return engine && engine.started.length >= turns ? engine : undefined;
      });
    },
    async connect(query = ''): Promise<WireClient> {
      const client = await WireClient.connect(`ws://127.0.0.1:${server.port}/ws${query}`);
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) client.socket.terminate();
      await server.close();
      await tasks.close();
    },
  };
}

export type ServedTasks = Awaited<ReturnType<typeof serveTasks>>;
