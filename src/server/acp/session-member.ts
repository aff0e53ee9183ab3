import { toAppError } from '../../domain/errors.js';
import type { Origin, SessionEvent } from '../../domain/events.js';
import { isFinal, type ToolCall } from '../../domain/tool-call.js';
import type { AcpDialect, AcpReader } from '../../dialects/acp/dialect.js';
import { isHandedOver } from '../../session/lifetime.js';
import { storedAfter } from '../../session/replay.js';
import type { SessionPort } from '../../session/session-port.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Lobby } from '../endpoint/lobby.js';
import { Narrator } from './narrator.js';
import { OwnPrompts } from './own-prompts.js';
import { PermissionAsker } from './permission-asker.js';
import type { Outlet, RemoteClient, SessionUpdate } from './update.js';
import type { Follower, UpdateBroadcast } from './update-broadcast.js';

export type SessionMemberOptions = {
  readonly session: SessionPort;
  readonly broadcast: UpdateBroadcast;
  readonly dialect: AcpDialect;
  readonly client: RemoteClient;
  readonly outlet: Outlet;
  readonly origin: Origin;
  readonly reader: AcpReader;
  readonly hasForms: boolean;
  readonly lobby: Lobby;
  readonly log: ServerLog;
  /** Another server continues the session. */
  readonly onMoved: () => void;
};

/** Events replayed at a time, as fast as the client reads. */
const atATime = 50;

/** One ACP client that takes part in one session. */
export class SessionMember implements Follower {
  readonly prompts: OwnPrompts;
  readonly reader: AcpReader;
  readonly knownCalls = new Set<string>();
  readonly #options: SessionMemberOptions;
  readonly #asker: PermissionAsker;
  readonly #leaveClients: () => void;
  #leave: (() => void) | undefined;
  #isGone = false;

  constructor(options: SessionMemberOptions) {
    const { session, lobby } = options;
    const { origin, leave } = lobby.join(session, options.origin);
    this.#options = options;
    this.reader = options.reader;
    this.prompts = new OwnPrompts(session, origin);
    this.#asker = new PermissionAsker({ ...options, origin });
    this.#leaveClients = leave;
    session.ended.addEventListener('abort', this.#onEnded);
  }

  get session(): SessionPort {
    return this.#options.session;
  }

  /** Follows new events, and first sends what the client needs to take part: the current state and the open questions. */
  follow({ isNew = false } = {}): void {
    if (this.#isGone || this.#leave) return;
    const { session, broadcast } = this.#options;
    this.#leave = broadcast.join(this, isNew);
    for (const call of session.snapshot.pending) this.#introduce(call);
  }

  /** Sends all past events first, including those that happen meanwhile. */
  async replay(): Promise<void> {
    const { session, dialect, outlet } = this.#options;
    const narrator = new Narrator(session, dialect);
    /** The latest output of the running tool calls. */
    const printed = new Map<string, SessionEvent>();
    let cursor = 0;
    while (!this.#isGone) {
      const stored = session.whereAfter(cursor) === 'store' ? await storedIfKept(session, cursor) : [];
      const events = stored.length > 0 ? stored : session.eventsAfter(cursor, atATime);
      if (this.#isGone) return;
      if (events.length === 0) {
        for (const event of printed.values()) this.#retell(narrator, event);
        return this.follow();
      }
      for (const event of events) {
        if (event.type === 'tool') printed.delete(event.call.id);
        if (isWorthRetelling(event)) this.#retell(narrator, event);
        else narrator.pass(event);
        if (isLiveOutput(event)) printed.set(event.call.id, event);
      }
      await outlet.room();
      cursor = events.at(-1)?.seq ?? cursor;
    }
  }

  isOwnPrompt = (messageId: string | undefined): boolean => this.prompts.has(messageId);

  take(update: SessionUpdate): void {
    this.#options.outlet.send(update);
  }

  onEvent(event: SessionEvent): void {
    this.prompts.onEvent(event);
    if (event.type !== 'tool') return;
    this.#remember(event.call);
    this.#asker.onCall(event.call);
  }

  leave(): void {
    this.#isGone = true;
    this.session.ended.removeEventListener('abort', this.#onEnded);
    this.#leaveClients();
    this.#leave?.();
    this.#leave = undefined;
    this.#asker.withdrawAll();
    this.prompts.leave();
  }

  readonly #onEnded = (): void => {
    if (isHandedOver(this.session.ended.reason)) this.#options.onMoved();
  };

  #retell(narrator: Narrator, event: SessionEvent): void {
    const audience = { reader: this.reader, knownCalls: this.knownCalls, isOwnPrompt: () => false };
    for (const update of narrator.tell(event, audience)) this.take(update);
    if (event.type === 'tool') this.#remember(event.call);
  }

  #introduce(call: ToolCall): void {
    const { session, dialect } = this.#options;
    const event = { type: 'tool', call, seq: session.seq, at: '', sessionId: session.id } as const;
    if (!this.knownCalls.has(call.id))
      for (const update of new Narrator(session, dialect).tell(event, this)) this.take(update);
    this.#remember(call);
    this.#asker.onCall(call);
  }

  #remember(call: ToolCall): void {
    if (isFinal(call)) this.knownCalls.delete(call.id);
    else this.knownCalls.add(call.id);
  }
}

/** Skips events that the store no longer keeps. */
async function storedIfKept(session: SessionPort, cursor: number): Promise<readonly SessionEvent[]> {
  return storedAfter(session, cursor).catch((error: unknown) => {
    if (toAppError(error).code === 'too-slow') return [];
    throw error;
  });
}

/** Live output is repeated in the result, and the states of past turns are not needed. */
function isWorthRetelling(event: SessionEvent): boolean {
  return !isLiveOutput(event) && event.type !== 'turn' && event.type !== 'log';
}

function isLiveOutput(event: SessionEvent): event is SessionEvent & { type: 'tool' } {
  return event.type === 'tool' && event.call.status === 'executing' && event.call.liveOutput !== undefined;
}
