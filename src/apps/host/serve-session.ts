import { randomBytes } from 'node:crypto';
import { AuditFolder } from '../../audit/audit-folder.js';
import { sessionEnded } from '../../domain/final-close.js';
import type { Engine } from '../../engine/engine.js';
import { announceServer } from '../live/announce-server.js';
import { liveAuth } from '../live/live-auth.js';
import { openedLine } from '../live/opened-line.js';
import { whyNotOpened } from '../live/why-not-opened.js';
import { openServer, type ServerSettings } from '../../server/open-server.js';
import type { AgentName } from '../../server/offer.js';
import type { SessionOptions } from '../../session/session-options.js';
import { Session } from '../../session/session.js';
import { memoryStore } from '../../stores/memory.js';
import { defined } from '../../util/defined.js';
import { devicesOfSession } from './session-devices.js';

export type HostOptions = Omit<ServerSettings, 'token'> &
  Pick<SessionOptions, 'turnEnd'> & {
    readonly workspace: string;
    readonly stateDir: string;
    /** Receives the undo function of each step as soon as the step is done. Call them newest first. */
    readonly onOpen: (undo: () => unknown) => void;
  };

export type HostedSession = {
  readonly id: string;
  readonly engine: Engine & { dispose(): Promise<void> };
  /** Resolves when the engine is ready. */
  readonly opened?: Promise<unknown>;
  readonly card: AgentName;
};

export type HostedEndpoint = {
  readonly url: string;
  readonly token: string;
  /** The endpoint's certificate (PEM), if it uses TLS. */
  readonly certificate?: string;
  /** Shows the user where the endpoint is. */
  readonly line: string;
};

/** One session behind a server that other programs of this user can find. */
export async function serveSession(
  { id, engine, opened, card }: HostedSession,
  options: HostOptions,
): Promise<HostedEndpoint> {
  const { workspace, stateDir, log, onOpen, turnEnd } = options;
  onOpen(() => engine.dispose());
  const onError = (error: unknown): void => log.error('internal error', { cause: error });
  const session = new Session({ id, engine, store: memoryStore(), workspace, onError, ...defined({ turnEnd }) });
  onOpen(() => session.close());
  await opened;
  const token = randomBytes(24).toString('base64url');
  const audit = new AuditFolder(stateDir, { onError: (cause) => log.error('audit log', { cause }) });
  const devices = devicesOfSession(stateDir, id);
  const server = await openServer({ ...options, session, token, card, audit, devices, auth: liveAuth(options) }).catch(
    (error: unknown) => {
      const advice = 'Use --a2a-port 0 for a free port.';
      throw new Error(whyNotOpened(error, { port: options.port, stateDir, advice }), { cause: error });
    },
  );
  onOpen(() => audit.flush());
  onOpen(() => server.close(sessionEnded));
  onOpen(announceServer(stateDir, server, { sessionId: id, workspace, token }));
  const { ownUrl: url, tls } = server;
  return { url, token, ...(tls && { certificate: tls.certificate }), line: openedLine(server) };
}
