import { agent, type InitializeRequest, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AgentConnector } from '@agentclientprotocol/sdk/experimental/v2';
import type { Principal } from '../../auth/principal.js';
import { fromMcpServers } from '../../dialects/acp/mcp-servers.js';
import { meta } from '../../dialects/acp/meta.js';
import { promptText } from '../../dialects/acp/prompt.js';
import { toConfigOptions, toSessionState } from '../../dialects/acp/settings.js';
import { toPromptResponse } from '../../dialects/acp/stop-reason.js';
import { v1 } from '../../dialects/acp-v1/v1.js';
import { type Introduction, ConnectedClient } from './connected-client.js';
import { answering } from './request-error.js';
import type { AcpSurface, SharedAcpSurface } from './surface.js';
import type { Line, Outlet } from './update.js';

/** The agent that one ACP connection talks to. */
export function acpAgent(
  shared: SharedAcpSurface,
  outletOf: (line: Line) => Outlet,
  principal: Principal,
): { app: AgentConnector; client: ConnectedClient } {
  const surface = shared(principal);
  const { version, log, listing } = surface;
  const me = new ConnectedClient(surface, outletOf, principal);
  const answer = answering(log);
  const v1App = agent({ name: 'cosession' })
    .onConnect((connection) => me.connect(connection))
    .onRequest('initialize', ({ params }) => {
      me.introduce(introductionOf(params));
      return {
        protocolVersion: PROTOCOL_VERSION,
        ...abilitiesOf(surface),
        agentInfo: { name: 'cosession', title: 'Cosession', version },
      };
    })
    .onRequest('authenticate', () => ({}))
    // goose's terminal sends this before it accepts input. Without a model in the reply it would configure one itself.
    .onRequest(
      '_goose/defaults/read',
      () => ({}),
      () => ({ providerId: 'cosession' }),
    )
    .onRequest('session/new', ({ params }) =>
      answer(async () => {
        const { sessionId, ...state } = await me.start(params.cwd, fromMcpServers(params.mcpServers));
        return { sessionId, ...toSessionState(state) };
      }),
    )
    .onRequest('session/load', ({ params }) =>
      answer(async () => toSessionState(await me.load(params.sessionId, fromMcpServers(params.mcpServers)))),
    )
    .onRequest('session/resume', ({ params }) =>
      answer(async () => toSessionState(await me.resume(params.sessionId, fromMcpServers(params.mcpServers)))),
    )
    .onRequest('session/list', ({ params }) => answer(() => listing.list(params)))
    .onRequest('session/delete', ({ params }) => answer(() => me.deleteSession(params.sessionId)))
    .onRequest('session/close', ({ params }) => answer(() => me.closeSession(params.sessionId)))
    .onRequest('session/prompt', ({ params, signal }) =>
      answer(async () => {
        const turn = await me.prompt(params.sessionId, promptText(params.prompt), signal);
        return toPromptResponse(await turn.ended);
      }),
    )
    .onRequest('session/set_mode', ({ params: { sessionId, modeId } }) =>
      answer(async () => void (await me.setOption(sessionId, 'mode', modeId))),
    )
    .onRequest('session/set_config_option', ({ params: { sessionId, configId, value } }) =>
      answer(async () => {
        const { settings, choices } = await me.setOption(sessionId, configId, value);
        return { configOptions: toConfigOptions(settings, choices) };
      }),
    )
    .onNotification('session/cancel', ({ params }) => me.cancel(params.sessionId));
  return { app: surface.withV2?.(v1App, me, surface) ?? v1App, client: me };
}

function introductionOf({ clientInfo, clientCapabilities }: InitializeRequest): Introduction {
  const { elicitation, session, _meta } = clientCapabilities ?? {};
  return {
    name: clientInfo?.title ?? clientInfo?.name,
    dialect: v1,
    reader: { hasTerminal: _meta?.['terminal_output'] === true, hasNotices: Boolean(session?.notices) },
    hasForms: Boolean(elicitation?.form),
  };
}

function abilitiesOf({ listing: { remove }, clientServers }: AcpSurface) {
  return {
    authMethods: [],
    agentCapabilities: {
      loadSession: true,
      ...(clientServers && { mcpCapabilities: { http: true, sse: true } }),
      promptCapabilities: { embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, ...(remove && { delete: {} }) },
      _meta: meta({ shared: true, permission: 'first-answer-wins' }),
    },
  };
}
