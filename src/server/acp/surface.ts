import type { AgentConnector } from '@agentclientprotocol/sdk/experimental/v2';
import type { Principal } from '../../auth/principal.js';
import type { AcpDialect } from '../../dialects/acp/dialect.js';
import type { ClientServers } from '../../tasks/client-servers.js';
import type { SessionPort } from '../../session/session-port.js';
import type { Sessions } from '../../tasks/sessions.js';
import type { Lobby } from '../endpoint/lobby.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Listing } from './listing.js';
import type { ConnectedClient } from './connected-client.js';
import { UpdateBroadcast } from './update-broadcast.js';

/** What an ACP connection takes part in. */
export type AcpSurface = {
  readonly sessions: Sessions;
  readonly listing: Listing;
  /** MCP servers that clients bring. If absent, they are ignored. */
  readonly clientServers?: ClientServers;
  readonly lobby: Lobby;
  readonly log: ServerLog;
  readonly version: string;
  /** Adds version 2. If absent, only version 1 is supported. */
  readonly withV2?: (v1App: AgentConnector, me: ConnectedClient, surface: AcpSurface) => AgentConnector;
  broadcastOf(session: SessionPort, dialect: AcpDialect): UpdateBroadcast;
};

/** The surface as one principal sees it. All share the broadcasts. */
export type SharedAcpSurface = (principal: Principal) => AcpSurface;

export type AcpSurfaceOptions = Omit<AcpSurface, 'sessions' | 'listing' | 'broadcastOf'> & {
  readonly sessionsFor: (principal: Principal) => Sessions;
  readonly listingFor: (principal: Principal) => Listing;
};

export function acpSurface({ sessionsFor, listingFor, ...options }: AcpSurfaceOptions): SharedAcpSurface {
  const broadcasts = new WeakMap<SessionPort, Map<AcpDialect, UpdateBroadcast>>();
  const broadcastOf = (session: SessionPort, dialect: AcpDialect): UpdateBroadcast => {
    const ofSession = broadcasts.get(session) ?? new Map<AcpDialect, UpdateBroadcast>();
    broadcasts.set(session, ofSession);
    const broadcast = ofSession.get(dialect) ?? new UpdateBroadcast(session, dialect);
    ofSession.set(dialect, broadcast);
    return broadcast;
  };
  return (principal) => ({
    ...options,
    sessions: sessionsFor(principal),
    listing: listingFor(principal),
    broadcastOf,
  });
}
