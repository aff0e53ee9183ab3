import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, ndJsonStream, PROTOCOL_VERSION, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import {
  type AgentUpdate,
  initialized,
  openedSession,
  optionSet,
  type OpenedSession,
  type PermissionRequest,
  permissionRequest,
  promptResponse,
  type PromptResponse,
  readUpdate,
} from './agent-messages.js';
import type { McpAbilities } from './agent-servers.js';
import type { AgentProcess } from './agent-process.js';

export type AgentHandlers = {
  update(update: AgentUpdate): void;
  /** `signal` aborts when the agent no longer waits for the answer. */
  permission(request: PermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
};

export type AgentAbilities = {
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly mcp: McpAbilities;
  /** Empty if the agent does not send one. */
  readonly name: string;
  readonly title: string;
};

/** The folder that an agent's session works in, and the MCP servers it uses. */
export type SessionPlace = { readonly cwd: string; readonly mcpServers: readonly object[] };

/** The agent is gone. The message says how, as a phrase that follows "the agent". */
export class AgentGone extends Error {}

/** The longest time from the end of the agent's output to the end of its process. */
const endMs = 1000;

/** The protocol with one agent over its standard input and output. Every call rejects if the agent ends. */
export class AgentConnection {
  readonly #connection;
  readonly #ended: Promise<string>;

  constructor({ stdin, stdout, ended }: AgentProcess, handlers: AgentHandlers) {
    this.#ended = ended;
    const stream = ndJsonStream(Writable.toWeb(stdin), toBytes(stdout));
    this.#connection = client({ name: 'cosession' })
      // Registered first, so updates are handled in the tick they arrive in and never after a later message.
      .onNotification(
        'session/update',
        (params) => readUpdate(params),
        ({ params }) => params && handlers.update(params),
      )
      .onRequest('session/request_permission', permissionRequest, ({ params, signal }) =>
        handlers.permission(params, signal),
      )
      .onNotification('*', () => {})
      .connect(stream);
  }

  async initialize(version: string): Promise<AgentAbilities> {
    const reply = await this.#ask('initialize', initialized, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'cosession', version },
      clientCapabilities: {
        // The agent works in the same folder as Cosession: it reads files, writes files and runs commands itself.
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        session: { notices: {} },
        _meta: { terminal_output: true },
      },
    });
    if (reply.protocolVersion !== PROTOCOL_VERSION)
      throw new Error(`it speaks version ${reply.protocolVersion} of the protocol, we speak ${PROTOCOL_VERSION}`);
    const { agentCapabilities: can, agentInfo: info } = reply;
    return {
      canLoad: can?.loadSession === true,
      canResume: can?.sessionCapabilities?.resume != null,
      mcp: { http: can?.mcpCapabilities?.http === true, sse: can?.mcpCapabilities?.sse === true },
      name: info?.name ?? '',
      title: [info?.name, info?.version].filter(Boolean).join(' '),
    };
  }

  newSession(place: SessionPlace): Promise<OpenedSession> {
    return this.#ask('session/new', openedSession, place);
  }

  /** Opens an earlier session. `session/load` also replays everything that happened in it. */
  openSession(
    method: 'session/load' | 'session/resume',
    sessionId: string,
    place: SessionPlace,
  ): Promise<OpenedSession> {
    return this.#ask(method, openedSession, { sessionId, ...place });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    await this.#connection.agent.request('session/set_mode', { sessionId, modeId });
  }

  /** Removed from the protocol, but Gemini has no other way. */
  async setModel(sessionId: string, modelId: string): Promise<void> {
    await this.#ask('session/set_model', z.unknown(), { sessionId, modelId });
  }

  /** Resolves to all options in their new state. */
  setOption(sessionId: string, configId: string, value: string): Promise<Partial<OpenedSession>> {
    return this.#ask('session/set_config_option', optionSet, { sessionId, configId, value });
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return this.#ask('session/prompt', promptResponse, { sessionId, prompt: [{ type: 'text', text }] });
  }

  cancel(sessionId: string): Promise<void> {
    return this.#connection.agent.notify('session/cancel', { sessionId });
  }

  close(): void {
    this.#connection.close();
  }

  async #ask<T extends z.ZodType>(method: string, reply: T, params: object): Promise<z.output<T>> {
    try {
      return reply.parse((await this.#connection.agent.request(method, params)) ?? {});
    } catch (error) {
      if (!this.#connection.signal.aborted) throw error;
      // The connection breaks just before the end of the agent is known, and that end is the real reason.
      const how = await Promise.race([this.#ended, sleep(endMs)]);
      throw new AgentGone(how ?? 'closed its output', { cause: error });
    }
  }
}

function toBytes(stream: Readable): ReadableStream<Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node types what it reads as any
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
