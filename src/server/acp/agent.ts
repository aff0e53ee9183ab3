import { agent, type AgentApp, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { Principal } from '../../auth/principal.js';
import { meta } from '../../protocols/acp/meta.js';
import type { Listing } from './listing.js';
import { Participant } from './participant.js';
import { toRequestError } from './request-error.js';
import type { AcpSurface } from './surface.js';
import type { Line, Outlet } from './update.js';

/** The agent that one ACP v1 connection talks to. */
export function acpAgent(
  surface: AcpSurface,
  outletOf: (line: Line) => Outlet,
  principal: Principal,
): { app: AgentApp; participant: Participant } {
  const { version, log, listing } = surface;
  const me = new Participant(surface, outletOf, principal);

  /** Failures leave as ACP errors. */
  async function answer<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toRequestError(thrown, log);
    }
  }

  const app = agent({ name: 'cosession' })
    .onConnect((connection) => {
      me.connect(connection);
      void connection.closed.then(() => me.leave());
    })
    .onRequest('initialize', ({ params }) => {
      me.introduce(params);
      return {
        protocolVersion: PROTOCOL_VERSION,
        ...abilitiesOf(listing),
        agentInfo: { name: 'cosession', title: 'Cosession', version },
      };
    })
    .onRequest('authenticate', () => ({}))
    .onRequest('session/new', ({ params }) => answer(() => me.start(params.cwd)))
    .onRequest('session/load', ({ params }) => answer(() => me.load(params.sessionId)))
    .onRequest('session/resume', ({ params }) => answer(() => me.resume(params.sessionId)))
    .onRequest('session/list', ({ params }) => answer(() => listing.list(params)))
    .onRequest('session/delete', ({ params }) => answer(() => me.deleteSession(params.sessionId)))
    .onRequest('session/close', ({ params }) => answer(() => me.closeSession(params.sessionId)))
    .onRequest('session/prompt', ({ params, signal }) => answer(() => me.prompt(params, signal)))
    .onRequest('session/set_mode', ({ params: { sessionId, modeId } }) =>
      answer(async () => void (await me.setOption(sessionId, 'mode', modeId))),
    )
    .onRequest('session/set_config_option', ({ params: { sessionId, configId, value } }) =>
      answer(async () => ({ configOptions: await me.setOption(sessionId, configId, value) })),
    )
    .onNotification('session/cancel', ({ params }) => me.cancel(params.sessionId));
  return { app, participant: me };
}

function abilitiesOf({ remove }: Listing) {
  return {
    authMethods: [],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, ...(remove && { delete: {} }) },
      _meta: meta({ shared: true, permission: 'first-answer-wins' }),
    },
  };
}
