import {
  type AgentContext,
  type ClientCapabilities,
  type InitializeRequest,
  type NewSessionResponse,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { Origin } from '../../domain/events.js';
import { isCommand } from '../../protocols/acp/commands.js';
import { meta } from '../../protocols/acp/meta.js';
import { promptText } from '../../protocols/acp/prompt.js';
import { type Settings, toConfigOptions, toModes } from '../../protocols/acp/settings.js';
import { toPromptResponse } from '../../protocols/acp/stop-reason.js';
import type { Session } from '../../session/session.js';
import { clientName } from '../caller.js';
import { Attachment } from './attachment.js';
import type { AcpSurface } from './surface.js';
import type { Outlet } from './update.js';

type SessionState = Omit<NewSessionResponse, 'sessionId'>;

/** One ACP connection: who it is, and the sessions it takes part in. */
export class Participant {
  readonly #surface: AcpSurface;
  readonly #outlet: Outlet;
  readonly #attachments = new Map<string, Attachment>();
  #client: AgentContext | undefined;
  #capabilities: ClientCapabilities = {};
  #origin: Origin = { surface: 'acp' };
  #leaveLobby: (() => void) | undefined;

  constructor(surface: AcpSurface, outlet: Outlet) {
    this.#surface = surface;
    this.#outlet = outlet;
  }

  get sessionIds(): readonly string[] {
    return [...this.#attachments.keys()];
  }

  connect(client: AgentContext): void {
    this.#client ??= client;
  }

  introduce({ clientInfo, clientCapabilities }: InitializeRequest): void {
    const client = clientName(clientInfo?.title ?? clientInfo?.name) || 'acp-client';
    this.#capabilities = clientCapabilities ?? {};
    this.#origin = { surface: 'acp', client };
    this.#leaveLobby ??= this.#surface.lobby.enter(client);
  }

  /** Joins the live session, or opens a new one where there are many. */
  async start(workspace: string): Promise<NewSessionResponse> {
    const session = await this.#surface.sessions.open(undefined, { workspace });
    const attachment = this.#attach(session);
    // The response comes first: before it the client does not know the session.
    setImmediate(() => attachment.follow());
    return { sessionId: session.id, ...stateOf(session) };
  }

  /** Joins a session, told from its beginning. */
  async load(sessionId: string): Promise<SessionState> {
    const session = await this.#find(sessionId);
    await this.#attach(session).replay();
    return stateOf(session);
  }

  /** Joins a session where it is. */
  async resume(sessionId: string): Promise<SessionState> {
    const session = await this.#find(sessionId);
    this.#attach(session).follow();
    return stateOf(session);
  }

  async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const { session, prompts } = this.#attachmentOf(sessionId);
    const text = promptText(prompt);
    const kind = isCommand(text, session.commands) ? 'command' : 'prompt';
    return toPromptResponse(await prompts.submit(kind, text, signal));
  }

  cancel(sessionId: string): void {
    this.#attachments.get(sessionId)?.prompts.cancel();
  }

  /** Only this client leaves: the session is not its own. */
  close(sessionId: string): void {
    this.#attachmentOf(sessionId).leave();
    this.#attachments.delete(sessionId);
  }

  stateOf(sessionId: string): SessionState {
    return stateOf(this.#attachmentOf(sessionId).session);
  }

  /** The connection is gone. Turns and open questions are not its own, so they stay. */
  leave(): void {
    for (const attachment of this.#attachments.values()) attachment.leave();
    this.#attachments.clear();
    this.#leaveLobby?.();
  }

  #attach(session: Session): Attachment {
    this.#attachments.get(session.id)?.leave();
    const client = this.#client;
    if (!client) throw new Error('an ACP connection without a client');
    const { log } = this.#surface;
    const { elicitation, session: shows, _meta } = this.#capabilities;
    const attachment = new Attachment({
      session,
      client,
      log,
      broadcast: this.#surface.broadcastOf(session),
      outlet: this.#outlet,
      origin: this.#origin,
      reader: { hasTerminal: _meta?.['terminal_output'] === true, hasNotices: Boolean(shows?.notices) },
      hasForms: Boolean(elicitation?.form),
    });
    this.#attachments.set(session.id, attachment);
    return attachment;
  }

  async #find(sessionId: string): Promise<Session> {
    const session = await this.#surface.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  #attachmentOf(sessionId: string): Attachment {
    const attachment = this.#attachments.get(sessionId);
    if (!attachment) throw RequestError.sessionNotFound(sessionId);
    return attachment;
  }
}

function stateOf(session: Session): SessionState {
  const settings = settingsOf(session);
  const configOptions = toConfigOptions(settings);
  const { state, queued } = session;
  return { ...toModes(settings), configOptions, _meta: meta({ state, queued }) };
}

function settingsOf(session: Session): Settings {
  const last = session.eventsAfter(0).findLast((event) => event.type === 'settings');
  return last ?? { model: session.agent.model };
}
