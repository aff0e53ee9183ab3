import {
  type ClientCapabilities,
  type InitializeRequest,
  type NewSessionResponse,
  type PromptRequest,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk';
import type { Principal } from '../../auth/principal.js';
import type { Origin } from '../../domain/events.js';
import { isCommand } from '../../protocols/acp/commands.js';
import { promptText } from '../../protocols/acp/prompt.js';
import { toPromptResponse } from '../../protocols/acp/stop-reason.js';
import type { Session } from '../../session/session.js';
import { clientName } from '../caller.js';
import { needForMethod } from '../guards/scopes.js';
import { Attachment } from './attachment.js';
import { setOption, type SessionState, stateOf } from './session-state.js';
import type { AcpSurface } from './surface.js';
import type { Line, Outlet } from './update.js';

/** One ACP connection: who it is, and the sessions it takes part in. */
export class Participant {
  readonly #surface: AcpSurface;
  readonly #outletOf: (line: Line) => Outlet;
  readonly principal: Principal;
  readonly #attachments = new Map<string, Attachment>();
  readonly #leaving = new Set<() => void>();
  #line: { readonly line: Line; readonly outlet: Outlet } | undefined;
  #capabilities: ClientCapabilities = {};
  #isIntroduced = false;
  #origin: Origin = { surface: 'acp' };

  constructor(surface: AcpSurface, outletOf: (line: Line) => Outlet, principal: Principal) {
    this.#surface = surface;
    this.#outletOf = outletOf;
    this.principal = principal;
  }

  get sessionIds(): readonly string[] {
    return [...this.#attachments.keys()];
  }

  connect(line: Line): void {
    this.#line = { line, outlet: this.#outletOf(line) };
  }

  onLeave(listener: () => void): void {
    this.#leaving.add(listener);
  }

  /** Ends the connection. */
  close(): void {
    this.#line?.line.close();
  }

  introduce({ clientInfo, clientCapabilities }: InitializeRequest): void {
    const client = clientName(clientInfo?.title ?? clientInfo?.name) || 'acp-client';
    this.#capabilities = clientCapabilities ?? {};
    this.#origin = { surface: 'acp', client };
    if (!this.#isIntroduced) this.onLeave(this.#surface.lobby.enter(client));
    this.#isIntroduced = true;
  }

  /** Joins the live session, or opens a new one where there are many. */
  async start(workspace: string): Promise<NewSessionResponse> {
    const session = await this.#surface.sessions.open(undefined, { workspace });
    const attachment = this.#attach(session);
    const state = await stateOf(session);
    // The response comes first: before it the client does not know the session.
    setImmediate(() => attachment.follow());
    return { sessionId: session.id, ...state };
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
    if (kind === 'command') needForMethod(this.principal, 'command/execute');
    return toPromptResponse(await prompts.submit(kind, text, signal));
  }

  cancel(sessionId: string): void {
    this.#attachments.get(sessionId)?.prompts.cancel();
  }

  /** Only this client leaves: the session is not its own. */
  closeSession(sessionId: string): void {
    this.#attachmentOf(sessionId).leave();
    this.#attachments.delete(sessionId);
  }

  /** Ends and forgets a session, for everybody. One that is gone already is no mistake. */
  async deleteSession(sessionId: string): Promise<void> {
    const { remove } = this.#surface.listing;
    if (!remove) throw RequestError.methodNotFound('session/delete');
    this.#attachments.get(sessionId)?.leave();
    this.#attachments.delete(sessionId);
    await remove(sessionId);
  }

  /** Changes the mode or the model of a session, for everybody. */
  setOption(sessionId: string, option: string, value: unknown): Promise<SessionConfigOption[]> {
    return setOption(this.#attachmentOf(sessionId).session, option, value, this.#origin);
  }

  /** The connection is gone. Turns and open questions are not its own, so they stay. */
  leave(): void {
    for (const attachment of this.#attachments.values()) attachment.leave();
    this.#attachments.clear();
    for (const listener of this.#leaving) listener();
  }

  #attach(session: Session): Attachment {
    this.#attachments.get(session.id)?.leave();
    if (!this.#line) throw new Error('an ACP connection that was never connected');
    const { line, outlet } = this.#line;
    const { log } = this.#surface;
    const { elicitation, session: shows, _meta } = this.#capabilities;
    const attachment = new Attachment({
      session,
      client: line.client,
      outlet,
      log,
      broadcast: this.#surface.broadcastOf(session),
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
