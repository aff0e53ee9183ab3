import { RequestError } from '@agentclientprotocol/sdk';
import type { Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { McpServer } from '../../domain/mcp-server.js';
import { isSlashCommand } from '../../dialects/acp/commands.js';
import type { AcpDialect, AcpReader } from '../../dialects/acp/dialect.js';
import type { SessionState, Setup } from '../../dialects/acp/settings.js';
import type { SessionPort } from '../../session/session-port.js';
import { clientName, originOf } from '../http/caller.js';
import { need, needForMethod } from '../guards/scopes.js';
import { limits } from '../http/limits.js';
import { SessionMember } from './session-member.js';
import type { OwnTurn } from './own-prompts.js';
import { setOption, stateOf } from './session-state.js';
import type { AcpSurface } from './surface.js';
import type { Line, Outlet } from './update.js';

/** What a client says about itself in `initialize`. */
export type Introduction = {
  readonly name: string | undefined;
  readonly dialect: AcpDialect;
  readonly reader: AcpReader;
  /** Whether it can show forms. */
  readonly hasForms: boolean;
};

type Connected = Introduction & { readonly line: Line; readonly outlet: Outlet };

/** One ACP connection: who it is, and the sessions it takes part in. */
export class ConnectedClient {
  readonly #surface: AcpSurface;
  readonly #outletOf: (line: Line) => Outlet;
  readonly principal: Principal;
  readonly #members = new Map<string, SessionMember>();
  readonly #leaving = new Set<() => void>();
  #line: { readonly line: Line; readonly outlet: Outlet } | undefined;
  #introduction: Introduction | undefined;
  #origin: Origin = { surface: 'acp' };

  constructor(surface: AcpSurface, outletOf: (line: Line) => Outlet, principal: Principal) {
    this.#surface = surface;
    this.#outletOf = outletOf;
    this.principal = principal;
  }

  get sessionIds(): readonly string[] {
    return [...this.#members.keys()];
  }

  connect(line: Line): void {
    this.#line = { line, outlet: this.#outletOf(line) };
    void line.closed.then(() => this.#leave());
  }

  onLeave(listener: () => void): void {
    this.#leaving.add(listener);
  }

  /** Ends the connection. */
  close(): void {
    this.#line?.line.close();
  }

  introduce(introduction: Introduction): void {
    const client = clientName(introduction.name) || 'acp-client';
    this.#origin = originOf(client, this.principal, 'acp');
    if (!this.#introduction) this.onLeave(this.#surface.lobby.enter(client));
    this.#introduction = introduction;
  }

  /** Joins the live session, or opens a new one where there are many. */
  async start(workspace: string, servers: readonly McpServer[]): Promise<SessionState & { sessionId: string }> {
    this.#checkRoom();
    const connected = this.#connected();
    const bring = this.#bringing(servers);
    const session = await this.#surface.sessions.open(undefined, { workspace, owner: this.principal.id });
    bring(session.id);
    const member = this.#join(session, connected);
    const state = await stateOf(session);
    // The response must go first, because until then the client does not know the session.
    setImmediate(() => member.follow({ isNew: true }));
    return { sessionId: session.id, ...state };
  }

  /** Joins a session and replays it from the start. */
  async load(sessionId: string, servers: readonly McpServer[]): Promise<SessionState> {
    const connected = this.#connected();
    const bring = this.#bringing(servers);
    const session = await this.#find(sessionId);
    bring(session.id);
    await this.#join(session, connected).replay();
    return stateOf(session);
  }

  /** Joins a session without a replay. */
  async resume(sessionId: string, servers: readonly McpServer[]): Promise<SessionState> {
    const connected = this.#connected();
    const bring = this.#bringing(servers);
    const session = await this.#find(sessionId);
    bring(session.id);
    this.#join(session, connected).follow();
    return stateOf(session);
  }

  async prompt(sessionId: string, text: string, signal: AbortSignal): Promise<OwnTurn> {
    const { session, prompts } = this.#memberOf(sessionId);
    const kind = isSlashCommand(text, session.commands) ? 'command' : 'prompt';
    if (kind === 'command') needForMethod(this.principal, 'command/execute');
    return prompts.submit(kind, text, signal);
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#members.get(sessionId)?.prompts.cancel();
  }

  /** Only this client leaves, and its queued prompts are canceled. The session stays, because others share it. */
  async closeSession(sessionId: string): Promise<void> {
    const member = this.#memberOf(sessionId);
    const takenBack = member.prompts.takeBack();
    member.leave();
    this.#members.delete(sessionId);
    await takenBack;
  }

  /** Ends and deletes a session for everyone. Deleting one that no longer exists is not an error. */
  async deleteSession(sessionId: string): Promise<void> {
    const { remove } = this.#surface.listing;
    if (!remove) throw RequestError.methodNotFound('session/delete');
    this.#members.get(sessionId)?.leave();
    this.#members.delete(sessionId);
    await remove(sessionId);
  }

  /** Changes the mode or the model of a session for everyone. */
  setOption(sessionId: string, option: string, value: unknown): Promise<Setup> {
    return setOption(this.#memberOf(sessionId).session, option, value, this.#origin);
  }

  /** The connection is closed. Turns and open questions stay, because others share them. */
  #leave(): void {
    for (const member of this.#members.values()) member.leave();
    this.#members.clear();
    for (const listener of this.#leaving) listener();
  }

  /** An MCP server is a program that runs on the server's machine, so bringing one needs the scope `admin`. */
  #bringing(servers: readonly McpServer[]): (taskId: string) => void {
    const { clientServers, log } = this.#surface;
    if (!clientServers || servers.length === 0) return () => {};
    need(this.principal, 'admin');
    clientServers.check(servers);
    return (taskId) => {
      clientServers.bring(taskId, servers);
      const names = servers.map(({ name }) => name);
      log.info('MCP servers of a client', { task: taskId, principal: this.principal.id, names });
    };
  }

  /** Checked before anything is opened, because a client must send `initialize` before it takes part. */
  #connected(): Connected {
    if (this.#line && this.#introduction) return { ...this.#line, ...this.#introduction };
    throw RequestError.invalidRequest(undefined, 'the first request is initialize');
  }

  #join(session: SessionPort, { line, outlet, dialect, reader, hasForms }: Connected): SessionMember {
    this.#members.get(session.id)?.leave();
    const { log, lobby } = this.#surface;
    const member = new SessionMember({
      session,
      client: line.client,
      outlet,
      log,
      lobby,
      dialect,
      broadcast: this.#surface.broadcastOf(session, dialect),
      origin: this.#origin,
      reader,
      hasForms,
      // It connects again, to a server that has the session.
      onMoved: () => this.close(),
    });
    this.#members.set(session.id, member);
    return member;
  }

  #checkRoom(): void {
    if (this.#members.size < limits.acpSessions) return;
    const why = `a connection takes part in at most ${limits.acpSessions} sessions: close one of them first`;
    throw new AppError('bad-request', why);
  }

  async #find(sessionId: string): Promise<SessionPort> {
    if (!this.#members.has(sessionId)) this.#checkRoom();
    const session = await this.#surface.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  #memberOf(sessionId: string): SessionMember {
    const member = this.#members.get(sessionId);
    // A session that has ended here must be loaded again.
    if (!member || member.session.ended.aborted) throw RequestError.sessionNotFound(sessionId);
    return member;
  }
}
