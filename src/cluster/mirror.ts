import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Settable } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import type { AppError } from '../domain/errors.js';
import type { Origin, SessionEvent, TurnState } from '../domain/events.js';
import type { Answer } from '../domain/tool-call.js';
import type { TurnRequest } from '../engine/engine.js';
import { answeredIn, type Words } from '../session/calls/approval-desk.js';
import { Lifetime } from '../session/lifetime.js';
import type { Earlier } from '../session/load-events.js';
import type { Accepted } from '../session/prompt-queue.js';
import { SentQuestions } from '../session/sent-questions.js';
import { type AcceptedAnswer, SessionPort } from '../session/session-port.js';
import { recalledSnapshot, type Snapshot } from '../session/snapshot.js';
import type { Store, StoredTask } from '../stores/store.js';
import { defined } from '../util/defined.js';
import { opAnswers, type MirrorFacts } from './task-ops.js';

export type MirrorOptions = {
  readonly store: Store;
  readonly record: StoredTask;
  readonly earlier: Earlier;
  /** Facts that only the server that runs it knows. */
  readonly about: MirrorFacts;
  /** Asks the server that runs it. Resolves once this mirror has the events that the answer is based on. */
  readonly ask: AskServer;
  /** Reads from the store what is missing here. */
  readonly fill: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export type AskServer = <T>(op: string, about: unknown, answer: z.ZodType<T>) => Promise<T>;

/** Older events are read from the store. */
const recent = { keepEvents: 1000, keepBytes: 1024 * 1024 };

/** A session that another server runs. Its events are followed here, and what clients do is sent there. */
export class SessionMirror extends SessionPort {
  readonly engineOrigin: Origin = { surface: 'server' };
  readonly startedAt = new Date().toISOString();
  readonly settings: Settable | undefined;
  readonly #options: MirrorOptions;
  readonly #life = new Lifetime();
  readonly #sentQuestions = new SentQuestions();
  #about: MirrorFacts;

  constructor(options: MirrorOptions) {
    const { store, record, earlier, about, onError } = options;
    const { id, workspace, model, owner, createdAt } = record;
    super({ id, store, workspace, model, createdAt, earlier, isDurable: true, recent, onError, ...defined({ owner }) });
    this.#options = options;
    this.#about = about;
    if (about.choices) this.settings = this.#settable();
    this.observe((event) => this.#sentQuestions.note(event));
  }

  /** The events must be the next ones. */
  take(events: readonly SessionEvent[]): void {
    for (const event of events) this.log.take(event);
  }

  /** A prompt that is sent again because its reply was lost must be recognised, so every message has an id. */
  send(request: TurnRequest): Promise<Accepted> {
    return this.#options.ask('send', { messageId: randomUUID(), ...request }, opAnswers.send);
  }

  sendAnswer(id: string, answer: Answer, by: Origin): Promise<AcceptedAnswer> {
    const about = { id, answer: { answerId: randomUUID(), ...answer }, by };
    return this.#options.ask('answer', about, opAnswers.answer);
  }

  /** Names the turn: a repeated cancel must not stop the next one. */
  async sendCancel(by: Origin, turnId?: string): Promise<void> {
    await this.refresh();
    const about = { by, ...defined({ turnId: turnId ?? this.recall.state.running?.id }) };
    await this.#options.ask('cancel', about, opAnswers.nothing);
  }

  override refresh(): Promise<void> {
    return this.#options.fill();
  }

  override async stored(): Promise<void> {
    await this.refresh();
  }

  answeredIn(message: Words): string | undefined {
    const { all } = this.recall.state.answered;
    return answeredIn(
      message,
      all.map(({ id, resolution }) => [id, resolution] as const),
    );
  }

  get snapshot(): Snapshot {
    const snapshot = recalledSnapshot(this.recall, { model: this.agent.model, workspace: this.workspace });
    return { ...snapshot, pending: snapshot.pending.map((call) => this.#sentQuestions.of(call)) };
  }

  get state(): TurnState {
    const { running, lastState } = this.recall.state;
    return running?.state ?? lastState;
  }

  get queued(): number {
    return this.recall.state.queued.size;
  }

  get commands(): readonly Command[] {
    return this.#about.commands;
  }

  get ended(): AbortSignal {
    return this.#life.ended;
  }

  end(why: AppError): void {
    this.#life.end(why);
  }

  #settable(): Settable {
    const { ask } = this.#options;
    return {
      open: async () => void (this.#about = await ask('open', {}, opAnswers.facts)),
      choices: () => this.#about.choices ?? { modes: [], models: [] },
      setMode: (choice, by) => ask('set', { setting: 'mode', choice, by }, opAnswers.nothing),
      setModel: (choice, by) => ask('set', { setting: 'model', choice, by }, opAnswers.nothing),
      setOther: (setting, choice, by) => ask('set', { setting, choice, by }, opAnswers.nothing),
    };
  }
}
