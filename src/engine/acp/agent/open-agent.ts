import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '../../../domain/mcp-server.js';
import type { OpenedSession } from './agent-messages.js';
import { AgentConnection, type AgentHandlers } from './agent-connection.js';
import { isUsable, toAgentServers } from './agent-servers.js';
import { type AgentProcess, type AgentProcessOptions, startAgent } from './agent-process.js';

export type OpenAgentOptions = AgentProcessOptions & {
  readonly version: string;
  readonly mcpServers: readonly McpServer[];
  /** The agent's session to continue, if it can. */
  readonly earlierSession?: string;
  /** Runs before the agent may get a prompt. */
  readonly prepare: (agent: OpenAgent) => Promise<void>;
  readonly handlers: AgentHandlers;
  /** Ends the agent, even while it is starting. */
  readonly signal: AbortSignal;
};

/** An agent that is ready for a prompt. */
export type OpenAgent = {
  readonly process: AgentProcess;
  readonly connection: AgentConnection;
  readonly sessionId: string;
  readonly session: OpenedSession;
  /** The agent's own name; may be empty. */
  readonly name: string;
  readonly title: string;
  /** It continues an earlier session. */
  readonly isEarlier: boolean;
  /** It was asked to continue an earlier session and could not. */
  readonly hasForgotten: boolean;
  /** MCP servers that it cannot reach. */
  readonly leftOut: readonly McpServer[];
};

/** A cold start may load a large program from a slow disk. */
const startMs = 120_000;
/** Gemini replays a loaded session only after it has reported that the session is loaded. */
const replayQuietMs = 300;

/** Starts an agent and opens a session in it. If that fails, it throws the reason and leaves nothing behind. */
export async function openAgent(options: OpenAgentOptions): Promise<OpenAgent> {
  const process = startAgent(options);
  options.signal.addEventListener('abort', () => void process.stop(), { once: true });
  let isOpen = false;
  let lastUpdate = 0;
  const connection = new AgentConnection(process, {
    ...options.handlers,
    update(update) {
      lastUpdate = Date.now();
      // Updates before the session is open replay its history; only what the agent offers is new.
      const isOffer = 'availableCommands' in update || 'currentModeId' in update || 'configOptions' in update;
      if (isOpen || isOffer) options.handlers.update(update);
    },
  });
  try {
    const opened = await within(startMs, process, () => open(connection, options));
    while (opened.wasReplayed && Date.now() - lastUpdate < replayQuietMs) await sleep(50);
    const agent: OpenAgent = { process, connection, ...opened };
    await within(startMs, process, () => options.prepare(agent));
    isOpen = true;
    return agent;
  } catch (error) {
    connection.close();
    await process.stop();
    throw error;
  }
}

async function open(connection: AgentConnection, options: OpenAgentOptions) {
  const { version, workspace: cwd, earlierSession, mcpServers } = options;
  const { canLoad, canResume, mcp, name, title } = await connection.initialize(version);
  const place = { cwd, mcpServers: toAgentServers(mcpServers, mcp) };
  const method = canResume ? 'session/resume' : canLoad ? 'session/load' : undefined;
  const earlier =
    earlierSession !== undefined && method
      ? await connection.openSession(method, earlierSession, place).catch(() => undefined)
      : undefined;
  const session = earlier ?? (await connection.newSession(place));
  const sessionId = earlier ? earlierSession : session.sessionId;
  if (sessionId == null) throw new Error('it opened a session without an id');
  return {
    sessionId,
    session,
    name,
    title,
    leftOut: mcpServers.filter((server) => !isUsable(server, mcp)),
    isEarlier: earlier !== undefined,
    hasForgotten: earlierSession !== undefined && !earlier,
    wasReplayed: earlier !== undefined && method === 'session/load',
  };
}

/** Whichever comes first: the result of `run`, the end of the agent, or the timeout. */
async function within<T>(ms: number, { ended }: AgentProcess, run: () => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`it was not ready within ${ms / 1000} s`);
  });
  tooLate.catch(() => {});
  const gone = ended.then((how) => {
    throw new Error(how);
  });
  gone.catch(() => {});
  try {
    return await Promise.race([run(), tooLate, gone]);
  } finally {
    timeout.abort();
  }
}
