import { allowOnceOption, cancelOption } from '../domain/tool-call.js';
import type { TurnState } from '../domain/events.js';
import { Connection, type ConnectionState } from './connection.js';
import { CosessionError } from './transport/cosession-error.js';
import type { Endpoint } from './transport/endpoint.js';
import { fetchHistory, type History, type HistoryOptions } from './history.js';
import { Mirror } from './mirror.js';
import { randomId } from './random-id.js';
import { readAccepted, readCommands, readExecution, type SlashCommand } from './transport/replies.js';
import { Requests } from './requests.js';
import type { TurnResult } from './turn-result.js';
import type { ClientTurn } from './turn.js';
import { eventsLost, Turns } from './turns.js';
import { Watcher } from './watcher.js';
import { isLogged, type LoggedEvent, type SnapshotEvent, type WireEvent } from './wire-event.js';
import type { OpenQuestion } from './wire-tool-call.js';
import { defined } from '../util/defined.js';

export type ClientSessionOptions = {
  readonly endpoint: Endpoint;
  readonly after?: number;
  readonly history?: Pick<HistoryOptions, 'turns'>;
  readonly giveUpAfterMs?: number;
  /** `error` is the reason if the session was closed for good. */
  readonly onState: (state: ConnectionState, error?: CosessionError) => void;
};

/** A prompt or a command that was accepted. */
export type StartedTurn = {
  readonly turnId: string;
  /** The events of this turn, for one reader. The iterator ends with the turn. */
  readonly events: AsyncIterableIterator<LoggedEvent>;
  readonly done: Promise<TurnResult>;
};

export type StartedPrompt = StartedTurn & {
  /** 0: running; 1: next in the queue. */
  readonly position: number;
};

export type AnswerDetails = {
  /** Your own version of a proposed file. */
  readonly newContent?: string;
  /** Answers to the agent's questions, by the question's number. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Changes that you want in a plan. */
  readonly feedback?: string;
  /** Repeating the `answerId` of an earlier answer repeats that answer; it does not give a second one. */
  readonly answerId?: string;
};

/** One live session, as a client sees it. Created by `connect`. */
export class ClientSession {
  readonly #options: ClientSessionOptions;
  readonly #connection: Connection;
  readonly #requests: Requests;
  readonly #turns: Turns;
  readonly #watchers = new Set<Watcher>();
  /** Has the events after the cursor that `connect` was given, until somebody reads them. */
  #first: Watcher | undefined;
  readonly #ended = new AbortController();
  #mirror: Mirror | undefined;
  /** The current connection has said which session it belongs to. */
  #isKnown = false;
  #closed: CosessionError | undefined;

  constructor(options: ClientSessionOptions) {
    const { endpoint, after, giveUpAfterMs } = options;
    this.#options = options;
    if (after !== undefined) this.#first = this.#newWatcher();
    this.#turns = new Turns(endpoint);
    this.#requests = new Requests((message) => this.#connection.send(message));
    this.#connection = new Connection({
      endpoint,
      ...defined({ after, giveUpAfterMs }),
      onEvent: (event) => this.#onEvent(event),
      onReply: (reply) => this.#requests.onReply(reply),
      onDown: (error) => this.#onDown(error),
      onClosed: (error) => this.#onClosed(error),
    });
  }

  /** The Gemini session's id. */
  get id(): string {
    return this.#current.taskId;
  }

  get state(): TurnState {
    return this.#current.state;
  }

  get model(): string {
    return this.#current.model;
  }

  /** The newest event so far: the cursor to continue from in another `connect`. */
  get seq(): number {
    return this.#current.seq;
  }

  /** The state of the session now, as in a SNAPSHOT: title, folder, queue, who is here, and more. */
  get snapshot(): SnapshotEvent {
    return this.#current;
  }

  /** Tool calls that wait for an answer. */
  get pending(): readonly OpenQuestion[] {
    return this.#current.pending;
  }

  /** Sends a prompt. Repeating the `messageId` of an earlier prompt does not send a second one. */
  async prompt(text: string, options: { readonly messageId?: string } = {}): Promise<StartedPrompt> {
    const { messageId = randomId() } = options;
    const { turn, turnId, position } = await this.#turns.start(async () => {
      const message = { messageId, content: { text } };
      const params = { message, taskId: this.id };
      return readAccepted(await this.#requests.call('message/stream', params, { isRepeatable: true }));
    }, messageId);
    return { ...toStarted(turnId, turn), position };
  }

  /** Runs a slash command such as `['memory', 'show']`. */
  async run(path: readonly string[], args = ''): Promise<StartedTurn> {
    const { turn, turnId } = await this.#turns.start(async () => {
      const started = readExecution(await this.#requests.call('command/execute', { command_path: path, args }));
      if (started.refusal !== undefined) throw new CosessionError('command-refused', started.refusal);
      return started;
    });
    return toStarted(turnId, turn);
  }

  /** All events from now on, whoever caused them. Starts with a snapshot of the session. */
  watch(): AsyncIterableIterator<WireEvent> {
    const first = this.#first;
    this.#first = undefined;
    const { events } = first ?? this.#newWatcher(this.#current);
    if (this.#closed) events.end(endOf(this.#closed));
    return events;
  }

  /** Part of the conversation before the event `before`, or before now. Waits for the connection if there is none. */
  async history(options: HistoryOptions = {}): Promise<History> {
    if (this.#closed) throw this.#closed;
    return fetchHistory(this.#options.endpoint, this.id, options, this.#ended.signal).catch((error: unknown) => {
      throw this.#closed ?? error;
    });
  }

  /** Rejects with `already-answered`, and who answered, if somebody was faster. */
  async approve(callId: string, optionId: string = allowOnceOption, details: AnswerDetails = {}): Promise<void> {
    const { newContent, answers, feedback, answerId = randomId() } = details;
    const data = {
      kind: 'TOOL_CALL_CONFIRMATION',
      tool_call_id: callId,
      selected_option_id: optionId,
      ...(newContent === undefined ? {} : { file_details: { new_content: newContent } }),
      ...defined({ answers, feedback }),
      answerId,
    };
    try {
      const params = { message: { content: { data } }, taskId: this.id };
      await this.#requests.call('message/stream', params, { isRepeatable: true });
      this.#mirror?.settle(callId);
    } catch (error) {
      if (error instanceof CosessionError && error.code === 'already-answered') this.#mirror?.settle(callId);
      throw error;
    }
  }

  /** Denies a tool call. */
  reject(callId: string): Promise<void> {
    return this.approve(callId, cancelOption);
  }

  /** Stops the running turn, or the given one, which may still be queued. */
  async cancel(turnId?: string): Promise<void> {
    await this.#requests.call('tasks/cancel', { id: turnId ?? this.id });
  }

  async commands(): Promise<readonly SlashCommand[]> {
    return readCommands(await this.#requests.call('commands/get', {}, { isRepeatable: true }));
  }

  /** Disconnects. The session continues, and so do the turns this client started. */
  close(): void {
    this.#connection.close();
  }

  get #current() {
    if (!this.#mirror) throw new CosessionError('cannot-connect', 'not connected yet');
    return this.#mirror.snapshot;
  }

  #newWatcher(snapshot?: SnapshotEvent): Watcher {
    const { history } = this.#options;
    const historyUntil = (seq: number): Promise<History> => this.history({ ...history, before: seq + 1 });
    const watcher = new Watcher({
      ...(history && { historyUntil }),
      onEnd: (ended) => void this.#watchers.delete(ended),
    });
    this.#watchers.add(watcher);
    if (snapshot) watcher.push(snapshot);
    return watcher;
  }

  #onEvent(event: WireEvent): void {
    if (!this.#mirror) {
      if (event.kind === 'SNAPSHOT') this.#begin(event);
      return;
    }
    if (event.taskId !== this.id) return this.#leaveOther();
    this.#mirror.apply(event);
    if (!this.#isKnown) return this.#resume();
    if (event.kind === 'RESYNC_REQUIRED') this.#turns.fail(eventsLost(event));
    else if (isLogged(event)) this.#turns.onEvent(event);
    for (const watcher of this.#watchers) watcher.push(event);
  }

  #begin(snapshot: SnapshotEvent): void {
    this.#mirror = new Mirror(snapshot);
    this.#first?.push(snapshot);
    this.#resume();
  }

  /** Nothing is sent before the first message of a connection has said that the same session answers. */
  #resume(): void {
    this.#isKnown = true;
    this.#requests.up();
    this.#options.onState('open');
  }

  #leaveOther(): void {
    this.#connection.close(new CosessionError('other-session', 'the session is gone; another one has its address now'));
  }

  #onDown(error?: CosessionError): void {
    this.#isKnown = false;
    this.#requests.down(error);
    this.#options.onState('reconnecting');
  }

  #onClosed(error: CosessionError): void {
    this.#closed = error;
    this.#ended.abort();
    this.#requests.close(error);
    this.#turns.close(error);
    for (const watcher of this.#watchers) watcher.events.end(endOf(error));
    this.#options.onState('closed', error.code === 'closed' ? undefined : error);
  }
}

/** If the caller closed the client, or nothing more can come, iterators just end; anything else is an error. */
function endOf(error: CosessionError): CosessionError | undefined {
  return error.code === 'closed' || error.code === 'ended' ? undefined : error;
}

function toStarted(turnId: string, { events, done }: ClientTurn): StartedTurn {
  return { turnId, events, done };
}
