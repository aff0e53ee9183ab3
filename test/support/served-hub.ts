import { liveCard } from '../../src/apps/agent-cards.js';
import { openServer, type ServerSettings } from '../../src/server/open-server.js';
import type { Session } from '../../src/session/session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import { openHub } from './hub.js';
import { WireClient } from './wire-client.js';

export const token = 'test-token';

/** A session on a manual engine behind the real server, on a free port of loopback. */
export async function serveHub(
  session: Partial<SessionOptions> = {},
  server: Partial<ServerSettings & { session: Session }> = {},
) {
  const hub = openHub(session);
  const logged: { message: string; facts: object }[] = [];
  const write = (message: string, facts: object = {}): void => void logged.push({ message, facts });
  const open = await openServer({
    session: hub.session,
    card: liveCard,
    port: 0,
    token,
    requireToken: false,
    version: '0.0.0',
    log: { debug: () => {}, info: write, error: write },
    presence: { joined: () => {}, left: () => {} },
    ...server,
  });
  const clients: WireClient[] = [];
  return {
    ...hub,
    logged,
    server: open,
    base: open.url.slice(0, -1),
    connect: async (query = '', options: Parameters<typeof WireClient.connect>[1] = {}) => {
      const client = await WireClient.connect(`ws://127.0.0.1:${open.port}/ws${query}`, options);
      clients.push(client);
      return client;
    },
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${open.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async stop() {
      for (const client of clients) client.socket.terminate();
      await open.close();
      await hub.session.close();
    },
  };
}

export type ServedHub = Awaited<ReturnType<typeof serveHub>>;
