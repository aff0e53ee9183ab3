import type { AgentConnector } from '@agentclientprotocol/sdk/experimental/v2';
import type { Dialect } from '../../protocols/acp/dialect.js';
import type { ClientServers } from '../../session/client-servers.js';
import type { Session } from '../../session/session.js';
import type { Sessions } from '../../session/sessions.js';
import type { Lobby } from '../lobby.js';
import type { ServerLog } from '../server-log.js';
import type { Listing } from './listing.js';
import type { Participant } from './participant.js';
import { UpdateBroadcast } from './update-broadcast.js';

/** What all ACP connections of a server share. */
export type AcpSurface = {
  readonly sessions: Sessions;
  readonly listing: Listing;
  /** MCP servers that clients bring; absent: they are ignored. */
  readonly clientServers?: ClientServers;
  readonly lobby: Lobby;
  readonly log: ServerLog;
  readonly version: string;
  /** Adds version 2; absent: only version 1 is spoken. */
  readonly withV2?: (v1App: AgentConnector, me: Participant, surface: AcpSurface) => AgentConnector;
  broadcastOf(session: Session, dialect: Dialect): UpdateBroadcast;
};

export function acpSurface(options: Omit<AcpSurface, 'broadcastOf'>): AcpSurface {
  const broadcasts = new WeakMap<Session, Map<Dialect, UpdateBroadcast>>();
  return {
    ...options,
    broadcastOf(session, dialect) {
      const ofSession = broadcasts.get(session) ?? new Map<Dialect, UpdateBroadcast>();
      broadcasts.set(session, ofSession);
      const broadcast = ofSession.get(dialect) ?? new UpdateBroadcast(session, dialect);
      ofSession.set(dialect, broadcast);
      return broadcast;
    },
  };
}
