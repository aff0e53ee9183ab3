import { createServer } from 'node:http';
import { Router } from 'express';
import { agentCard } from '../protocols/agent-card.js';
import type { Session } from '../session/session.js';
import { listenOnLoopback } from '../util/listen-on-loopback.js';
import { openDialects } from './dialect.js';
import { all } from './guards/guard.js';
import { hostGuard, loopbackHosts } from './guards/host.js';
import { jsonOnlyGuard } from './guards/json-only.js';
import { originGuard } from './guards/origin.js';
import { sameUserGuard } from './guards/same-user.js';
import { tokenGuard } from './guards/token.js';
import { httpApp } from './http-app.js';
import { limits } from './limits.js';
import { taskRoutes } from './routes/tasks.js';
import type { ServerLog } from './server-log.js';
import { openWebSockets, type Presence } from './web-sockets.js';

export type ServerOptions = {
  readonly session: Session;
  /** 0 picks a free port. */
  readonly port: number;
  readonly token: string;
  readonly requireToken: boolean;
  readonly version: string;
  readonly log: ServerLog;
  readonly presence: Presence;
};

export type OpenServer = {
  readonly port: number;
  readonly url: string;
  readonly clients: number;
  close(): Promise<void>;
};

/** Opens the endpoint of one session on loopback. Rejects with Node's error when the port cannot be had. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { session, log, requireToken, token, presence } = options;
  const server = createServer();
  server.maxConnections = limits.connections;
  const port = await listenOnLoopback(server, options.port);
  const url = `http://127.0.0.1:${port}/`;

  const hosts = loopbackHosts(port);
  const isUser = tokenGuard({ token, isRequired: requireToken, otherwise: sameUserGuard() });
  const fromHere = [hostGuard(hosts), originGuard(hosts)];
  const card = agentCard({ url, version: options.version, requiresToken: requireToken });
  const dialects = openDialects(session);
  const routes = [cardRoutes(card), taskRoutes(session, dialects.endpoint)];
  server.on('request', httpApp({ guard: all([...fromHere, jsonOnlyGuard, isUser]), routes, log }));
  const sockets = openWebSockets({ server, session, dialects, guard: all([...fromHere, isUser]), log, presence });

  return {
    port,
    url,
    get clients() {
      return sockets.count;
    },
    async close() {
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}

/** Old clients look for the card under its first name. */
function cardRoutes(card: object): Router {
  const router = Router();
  router.get(
    ['/.well-known/agent-card.json', '/.well-known/agent.json'],
    (_request, response) => void response.json(card),
  );
  return router;
}
