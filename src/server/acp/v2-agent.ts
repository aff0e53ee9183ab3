import {
  agent,
  type AgentApp,
  type AgentConnector,
  agentProtocolRouter,
  assertSupportedMcpServers,
  type InitializeRequest,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk/experimental/v2';
import type { McpServer } from '../../domain/mcp-server.js';
import { meta } from '../../dialects/acp/meta.js';
import { fromMcpServersV2 } from '../../dialects/acp-v2/mcp-servers.js';
import { promptTextV2 } from '../../dialects/acp-v2/prompt.js';
import { toConfigOptionsV2, toSessionStateV2 } from '../../dialects/acp-v2/settings.js';
import { messageIdOf } from '../../dialects/acp-v2/to-updates.js';
import { v2 } from '../../dialects/acp-v2/v2.js';
import type { TurnOutcome } from './own-prompts.js';
import type { Introduction, ConnectedClient } from './connected-client.js';
import { answering } from './request-error.js';
import type { AcpSurface } from './surface.js';

/** Version 2 for clients that request it, version 1 for all others. */
export function withV2(v1App: AgentConnector, me: ConnectedClient, surface: AcpSurface): AgentConnector {
  return agentProtocolRouter().withV1(v1App).withV2(v2Agent(me, surface));
}

/** The agent that one ACP v2 connection talks to. */
function v2Agent(me: ConnectedClient, { version, log, listing, clientServers }: AcpSurface): AgentApp {
  const answer = answering(log);
  const mcp = clientServers && { stdio: {}, http: {} };
  /** Refuses kinds of servers that were not offered, as version 2 requires. */
  const serversOf = ({ mcpServers }: NewSessionRequest | ResumeSessionRequest): McpServer[] => {
    assertSupportedMcpServers(mcpServers, mcp);
    return fromMcpServersV2(mcpServers);
  };
  return agent({ name: 'cosession' })
    .onConnect((connection) => me.connect(connection))
    .onRequest('initialize', ({ params }) => {
      me.introduce(introductionOf(params));
      return {
        protocolVersion: PROTOCOL_VERSION,
        info: { name: 'cosession', title: 'Cosession', version },
        capabilities: {
          session: { prompt: { embeddedContext: {} }, ...(mcp && { mcp }), ...(listing.remove && { delete: {} }) },
          _meta: meta({ shared: true, permission: 'first-answer-wins' }),
        },
      };
    })
    .onRequest('session/new', ({ params }) =>
      answer(async () => {
        const { sessionId, ...state } = await me.start(params.cwd, serversOf(params));
        return { sessionId, ...toSessionStateV2(state) };
      }),
    )
    .onRequest('session/resume', ({ params }) =>
      answer(async () => {
        const { sessionId } = params;
        const servers = serversOf(params);
        return toSessionStateV2(
          await (isReplayed(params) ? me.load(sessionId, servers) : me.resume(sessionId, servers)),
        );
      }),
    )
    .onRequest('session/list', ({ params }) => answer(() => listing.list(params)))
    .onRequest('session/delete', ({ params }) => answer(() => me.deleteSession(params.sessionId)))
    .onRequest('session/close', ({ params }) => answer(() => me.closeSession(params.sessionId)))
    .onRequest('session/prompt', ({ params, signal }) =>
      answer(async () => {
        const turn = await me.prompt(params.sessionId, promptTextV2(params.prompt), signal);
        // A queued prompt is not part of the conversation yet, so it is not acknowledged yet either.
        const seq = await turn.started;
        if (seq === undefined) throw whyNotStarted(await turn.ended);
        return { messageId: messageIdOf(seq) };
      }),
    )
    .onRequest('session/set_config_option', ({ params: { sessionId, configId, value } }) =>
      answer(async () => {
        const { settings, choices } = await me.setOption(sessionId, configId, value);
        return { configOptions: toConfigOptionsV2(settings, choices) };
      }),
    )
    .onNotification('session/cancel', ({ params }) => me.cancel(params.sessionId));
}

function whyNotStarted({ error }: TurnOutcome): RequestError {
  return error === undefined ? RequestError.requestCancelled() : new RequestError(-32603, error);
}

function isReplayed({ replayFrom }: ResumeSessionRequest): boolean {
  if (replayFrom === undefined || replayFrom === null) return false;
  if (replayFrom.type === 'start') return true;
  throw RequestError.invalidParams({ type: replayFrom.type }, 'a session is replayed from its start');
}

/** Every version 2 client can show terminals and notices, which are optional in version 1. */
function introductionOf({ info, capabilities }: InitializeRequest): Introduction {
  return {
    name: info.title ?? info.name,
    dialect: v2,
    reader: { hasTerminal: true, hasNotices: true },
    hasForms: Boolean(capabilities?.elicitation?.form),
  };
}
