import type { RequestHandler } from 'express';
import { acpOverHttp } from './acp/http-routes.js';
import { acpSurface, type SharedAcpSurface } from './acp/surface.js';
import type { Lobby } from './endpoint/lobby.js';
import type { Offer } from './offer.js';
import type { ServerSettings } from './open-server.js';

export type AcpOptions = { readonly settings: ServerSettings; readonly offer: Offer; readonly lobby: Lobby };

export type OpenAcp = {
  /** What all ACP clients share, over WebSocket and HTTP. */
  readonly surface: SharedAcpSurface;
  /** `/acp` over HTTP. */
  readonly handle: RequestHandler;
  close(): void;
};

/** ACP for the clients of one server. */
export async function openAcp({ settings, offer, lobby }: AcpOptions): Promise<OpenAcp> {
  const { log, version, acpV2, acpIdleMs } = settings;
  const { sessionsFor, listingFor, clientServers } = offer;
  const surface = acpSurface({
    sessionsFor,
    listingFor,
    lobby,
    log,
    version,
    ...(clientServers && { clientServers }),
    ...(acpV2 && (await loadV2())),
  });
  return { surface, ...acpOverHttp(surface, acpIdleMs, offer.peers) };
}

/** Loaded only on request because version 2 has its own schemas. */
async function loadV2() {
  const { withV2 } = await import('./acp/v2-agent.js');
  return { withV2 };
}
