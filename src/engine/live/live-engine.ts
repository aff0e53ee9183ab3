import { setTimeout as sleep } from 'node:timers/promises';
import type { Settable } from '../../domain/choices.js';
import type { Command } from '../../domain/command.js';
import type { Origin } from '../../domain/events.js';
import type { Answer } from '../../domain/tool-call.js';
import { safely } from '../../util/safely.js';
import type { Engine, EngineHost, TurnRequest } from '../engine.js';
import { errorText } from '../gemini/error-text.js';
import { ownCallIds } from '../gemini/own-call-ids.js';
import { translateStream } from '../gemini/translate-stream.js';
import { ApprovalBridge } from './approval-bridge.js';
import type { CliClient, CliConfig } from './cli-types.js';
import { forClients, refusalOf, toCommand } from './client-commands.js';
import { teeConsole } from './console-tee.js';
import { HistoryReader } from './history-reader.js';
import { actionDialog, loopDialog, shellDialog } from './dialog-kinds.js';
import { DialogQuestion } from './dialog-question.js';
import { liveSettings } from './live-settings.js';
import { teeStream } from './stream-tee.js';
import type { OpenDialogs, Terminal } from './terminal.js';
import { defined } from '../../util/defined.js';

const terminalOrigin: Origin = { surface: 'tui' };

type LiveTurn = {
  /** The CLI's own call that started the turn has returned. Tools and follow-ups may still run. */
  hasReturned: boolean;
  /** The user interface has shown the turn as running, so it is over only once the screen is idle. */
  wasShown: boolean;
  isOurs: boolean;
  /** A slash command of a client. What it prints is drawn after its call has returned. */
  isCommand: boolean;
  isDrawn: boolean;
  needsModel: boolean;
  signal?: AbortSignal;
  error?: string;
};

const newTurn: LiveTurn = {
  hasReturned: false,
  wasShown: false,
  isOurs: false,
  isCommand: false,
  isDrawn: false,
  needsModel: false,
};

/** A command that changes nothing on the screen is over after this time. */
const drawnWithinMs = 1000;

/** Drives the Gemini CLI in this process and reports what happens in it. */
export class LiveEngine implements Engine {
  readonly settings: Settable;
  readonly #terminal: Terminal;
  readonly #onError: (error: unknown) => void;
  readonly #approvals: ApprovalBridge;
  readonly #history: HistoryReader;
  readonly #dialogs;
  #host: EngineHost | undefined;
  #turn: LiveTurn | undefined;
  #openStreams = 0;
  #wasReady = false;
  #reportedSettings = '';

  constructor(terminal: Terminal, config: CliConfig, onError: (error: unknown) => void) {
    this.#terminal = terminal;
    this.settings = liveSettings(terminal, () => this.#reportSettings());
    this.#onError = onError;
    const host = (): EngineHost | undefined => this.#host;
    this.#approvals = new ApprovalBridge({ terminal, bus: config.getMessageBus(), host, onError });
    this.#history = new HistoryReader(terminal);
    this.#dialogs = {
      loop: new DialogQuestion(loopDialog, host),
      shell: new DialogQuestion(shellDialog, host),
      action: new DialogQuestion(actionDialog, host),
    };
  }

  connect(host: EngineHost): void {
    this.#host = host;
    this.#approvals.attach();
    teeConsole(
      (level, text) => host.report({ type: 'log', level, text }),
      () => this.#terminal.config?.getDebugMode() ?? false,
    );
    this.#terminal.listen({
      rendered: safely(() => this.#onRender(), this.#onError),
      client: safely((client: CliClient) => this.#onClient(client), this.#onError),
      dialogs: safely((open: OpenDialogs) => this.#onDialogs(open), this.#onError),
      typed: (text) => this.#mayType(text),
      settled: safely(() => this.#onReturned(), this.#onError),
    });
  }

  get isReady(): boolean {
    return this.#turn === undefined && this.#openStreams === 0 && this.#terminal.isIdle;
  }

  get refusal(): string | undefined {
    if (!this.#terminal.needsLogin) return undefined;
    return 'the Gemini CLI is not logged in: finish the login in its terminal, then send the prompt again';
  }

  start({ kind, text, origin }: TurnRequest): void {
    this.#turn = { ...newTurn, isOurs: true, isCommand: kind === 'command', needsModel: kind === 'prompt' };
    const who = origin.client ?? 'a client';
    if (kind === 'prompt') this.#terminal.show('user', `[A2A] ${text} · ${who}`);
    else this.#terminal.show('info', `[A2A] ${who} runs ${text}`);
    // Sent as parts, a prompt is only text: "/quit", "!rm" and "@file" have no special meaning.
    const submitted = kind === 'prompt' ? this.#terminal.submit([{ text }]) : this.#runCommand(text);
    submitted.catch((error: unknown) => this.#fail(error)).finally(() => this.#onReturned());
  }

  answer(callId: string, answer: Answer): void {
    const isDialog = this.#openDialogs.some((dialog) => dialog.answers(callId, answer.optionId));
    if (!isDialog) this.#approvals.answer(callId, answer);
  }

  cancel(): void {
    void this.#cancelWhenSafe().catch(this.#onError);
  }

  commands(): readonly Command[] {
    return forClients(this.#terminal.commands ?? []).map(toCommand);
  }

  /** A command that arrives before the CLI has loaded its commands waits, and is judged when its turn comes. */
  refusalOfCommand(line: string): string | undefined {
    const { commands } = this.#terminal;
    return commands && refusalOf(line, commands);
  }

  async #runCommand(text: string): Promise<unknown> {
    const why = refusalOf(text.replace(/^\//, ''), this.#terminal.commands ?? []);
    if (why !== undefined) throw new Error(`${text} cannot be run from here: ${why}`);
    return this.#terminal.submit(text);
  }

  async #cancelWhenSafe(): Promise<void> {
    for (let tries = 0; tries < 100 && this.#isStarting; tries++) await sleep(20);
    this.#terminal.cancel();
  }

  /** The CLI would miss a cancel now: a prompt is on its way to the model, or a process is starting. */
  get #isStarting(): boolean {
    const isSubmitting = this.#turn?.needsModel === true && !this.#turn.hasReturned;
    return isSubmitting || this.#approvals.isStartingProcess;
  }

  #mayType(text: string): boolean {
    try {
      return this.#onTyped(text);
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }

  /** False while a client's prompt is on its way to the CLI, which would drop anything typed at that moment. */
  #onTyped(text: string): boolean {
    const turn = this.#turn;
    if (turn?.isOurs && !turn.hasReturned && !turn.wasShown) return false;
    if (turn && turn.hasReturned && this.#openStreams === 0 && this.#terminal.isIdle) this.#end(turn);
    if (!this.#turn && !this.#terminal.isBusy) this.#begin(text);
    return true;
  }

  #begin(text: string): void {
    this.#turn = { ...newTurn };
    this.#host?.report({ type: 'started', text, origin: terminalOrigin });
  }

  /** Called on every render, and therefore also after a login. */
  #onClient(client: CliClient): void {
    teeStream(client, this.#watcher);
    const model = this.#terminal.config?.getContentGenerator?.();
    if (model) ownCallIds(model);
  }

  #onReturned(): void {
    const turn = this.#turn;
    if (turn) turn.hasReturned = true;
    this.#checkSoon();
    if (turn?.isCommand) setTimeout(() => this.#onDrawn(turn), drawnWithinMs).unref();
  }

  #onDrawn(turn: LiveTurn): void {
    turn.isDrawn = true;
    this.#checkSoon();
  }

  readonly #watcher = {
    started: safely(
      (signal: AbortSignal) => {
        this.#openStreams++;
        // The CLI continues by itself, for example after a loop was allowed.
        if (!this.#turn) this.#begin('');
        if (!this.#turn) return;
        this.#turn.signal = signal;
        this.#turn.needsModel = false;
      },
      (error) => this.#onError(error),
    ),
    event: safely(
      (event: Parameters<typeof translateStream>[0]) => {
        const translated = translateStream(event);
        if (translated?.type === 'error' && this.#turn) this.#turn.error = translated.message;
        if (translated) this.#host?.report(translated);
      },
      (error) => this.#onError(error),
    ),
    ended: safely(
      (thrown?: unknown) => {
        this.#openStreams--;
        if (thrown !== undefined) this.#fail(thrown);
        this.#checkSoon();
      },
      (error) => this.#onError(error),
    ),
  };

  #fail(thrown: unknown): void {
    if (this.#turn && !this.#turn.signal?.aborted) this.#turn.error = errorText(thrown);
  }

  #onRender(): void {
    if (this.#turn && this.#terminal.isBusy) this.#turn.wasShown = true;
    for (const event of this.#history.news(this.#turn?.isCommand ?? false)) this.#host?.report(event);
    if (this.#turn?.hasReturned) this.#turn.isDrawn = true;
    this.#reportSettings();
    this.#checkSoon();
  }

  #onDialogs({ loop, shell, action }: OpenDialogs): void {
    this.#dialogs.loop.observe(loop);
    this.#dialogs.shell.observe(shell);
    this.#dialogs.action.observe(action);
  }

  get #openDialogs() {
    return Object.values(this.#dialogs).filter((dialog) => dialog.isOpen);
  }

  #reportSettings(): void {
    const { config } = this.#terminal;
    if (!config) return;
    const userTier = config.getUserTier?.();
    const tier = defined({ userTier });
    const settings = { model: config.getModel(), approvalMode: config.getApprovalMode(), ...tier };
    const key = Object.values(settings).join(' ');
    if (key === this.#reportedSettings) return;
    this.#reportedSettings = key;
    this.#host?.report({ type: 'settings', ...settings });
  }

  /** Never runs inside a render, because starting the next turn changes React's state. */
  #checkSoon(): void {
    setImmediate(safely(() => this.#check(), this.#onError));
  }

  #check(): void {
    const turn = this.#turn;
    const isOver =
      turn?.hasReturned &&
      this.#openStreams === 0 &&
      this.#openDialogs.length === 0 &&
      (!turn.isCommand || turn.isDrawn) &&
      (!turn.wasShown || this.#terminal.isIdle);
    if (turn && isOver) this.#end(turn);
    const { isReady } = this;
    if (isReady && !this.#wasReady) this.#host?.report({ type: 'ready' });
    this.#wasReady = isReady;
  }

  #end(turn: LiveTurn): void {
    this.#turn = undefined;
    if (turn.needsModel) turn.error ??= 'the terminal did not accept the prompt; send it again';
    if (turn.signal?.aborted) this.#host?.report({ type: 'ended', state: 'canceled' });
    else if (turn.error !== undefined) this.#host?.report({ type: 'ended', state: 'failed', error: turn.error });
    else this.#host?.report({ type: 'ended', state: 'completed' });
  }
}
