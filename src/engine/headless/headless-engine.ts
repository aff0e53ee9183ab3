import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { CompletedToolCall, Scheduler } from '@google/gemini-cli-core';
import type { Command } from '../../domain/command.js';
import type { Usage } from '../../domain/events.js';
import type { Answer, ToolCall } from '../../domain/tool-call.js';
import type { Engine, EngineHost, InterruptedTurn, TurnRequest } from '../engine.js';
import type { CoreToolRequest } from '../gemini/core-types.js';
import { errorText } from '../gemini/error-text.js';
import { beginOnceStored } from './begin-once-stored.js';
import { CheckpointKeeper } from './checkpoint-keeper.js';
import { canResume, interruptedText, responsesOf, resumedText, resumptionOf } from './checkpoint.js';
import { keepRestorePoints } from './commands/restore-points.js';
import { listening } from './core/core.js';
import { gatherText } from './gather-text.js';
import type { CommandRun, HeadlessOptions, OpenedCore } from './headless-options.js';
import { HeadlessSettings } from './headless-settings.js';
import { holdUsage } from './hold-usage.js';
import { sumOf } from './usage.js';
import type { ReplyEnd } from './read-reply.js';
import { TextAhead } from './text-ahead.js';
import { ToolWatch } from './tool-watch.js';
import { TurnLoop } from './turn-loop.js';
import { defined } from '../../util/defined.js';

type Opened = OpenedCore & {
  readonly scheduler: Scheduler;
  readonly watch: ToolWatch;
  readonly textAhead: TextAhead;
};

/** Runs turns on gemini-cli-core without a terminal, whenever it is asked to. One per session; sessions may share a process. */
export class HeadlessEngine implements Engine {
  readonly settings: HeadlessSettings;
  readonly #options: HeadlessOptions;
  #host: EngineHost | undefined;
  #opening: Promise<Opened> | undefined;
  #abort: AbortController | undefined;
  #running: Promise<void> | undefined;
  readonly #checkpoints: CheckpointKeeper;
  #usage: Usage = {};
  #isDisposed = false;

  constructor(options: HeadlessOptions) {
    this.#options = options;
    this.#checkpoints = new CheckpointKeeper(options);
    this.settings = new HeadlessSettings({
      opened: () => this.#opened(),
      mayAutoExecute: options.mayAutoExecute ?? false,
      report: (event) => this.#report(event),
      save: (opened) => this.#checkpoints.save(opened),
    });
  }

  connect(host: EngineHost): void {
    this.#host = { ...host, report: gatherText(holdUsage((event) => host.report(event))) };
  }

  get isReady(): boolean {
    return this.#running === undefined;
  }

  start({ kind, text }: TurnRequest, turnId: string): void {
    this.#checkpoints.beginTurn(turnId);
    if (kind === 'prompt') this.#run((_opened, loop) => loop.run([{ text }]));
    else this.#run((opened, loop) => this.#command(text, opened, loop));
  }

  async #command(line: string, opened: Opened, loop: TurnLoop): Promise<ReplyEnd> {
    const report = this.#report;
    const run: CommandRun = {
      usage: this.#usage,
      say: (text) => report({ type: 'text', text }),
      found: (name, data) =>
        report({ type: 'artifact', artifact: { id: `command-${name}`, name, parts: [{ kind: 'data', data }] } }),
      signal: this.#signal,
    };
    const prompt = await listening(
      (level, text) => report({ type: 'log', level, text }),
      () => this.#options.commands().run(line, opened, run),
    );
    return prompt === undefined ? { state: 'completed' } : loop.run([{ text: prompt }]);
  }

  resume({ id: turnId, calls }: InterruptedTurn): boolean {
    const { checkpoint } = this.#options;
    if (!checkpoint || !canResume(checkpoint, turnId)) return false;
    const { batch, end } = checkpoint;
    if (end) this.#host?.report({ type: 'ended', ...end });
    if (!batch) return true;
    const resumption = resumptionOf(batch, calls);
    for (const { id, name, args } of resumption.interrupted)
      this.#host?.report({
        type: 'tool',
        call: { id, name, args, status: 'failed', error: { message: interruptedText } },
      });
    this.#checkpoints.beginTurn(turnId, resumption.batch);
    this.#report({ type: 'log', level: 'warn', text: resumedText });
    this.#run((_opened, loop) => loop.resume(resumption), batch.promptId);
    return true;
  }

  /** The questions of a recovered turn are open, so an answer may arrive before core is loaded. */
  answer(callId: string, answer: Answer): void {
    if (this.#isDisposed) return;
    this.#opened()
      .then(({ watch }) => watch.answer(callId, answer))
      .catch(this.#options.onError);
  }

  cancel(): void {
    this.#abort?.abort();
  }

  commands(): readonly Command[] {
    return this.#options.commands().list();
  }

  refusalOfCommand(line: string): string | undefined {
    return this.#options.commands().refusal(line);
  }

  /** Core's part of the session, for example to list its tools. */
  async opened(): Promise<OpenedCore> {
    return this.#opened();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#checkpoints.stop();
    this.#abort?.abort();
    await this.#running;
    const opened = await this.#opening?.catch(() => undefined);
    await this.#checkpoints.saved();
    if (!opened) return;
    opened.watch.close();
    opened.scheduler.dispose();
    await opened.config.dispose();
  }

  get #signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }

  #run(turn: (opened: Opened, loop: TurnLoop) => Promise<ReplyEnd>, promptId?: string): void {
    setMaxListeners(0, this.#signal);
    this.#running = this.#turn(turn, promptId).then((result) => this.#end(result));
  }

  async #turn(turn: (opened: Opened, loop: TurnLoop) => Promise<ReplyEnd>, promptId?: string): Promise<ReplyEnd> {
    const { budget } = this.#options;
    const signal = this.#signal;
    // Core keeps the event loop busy for milliseconds before it asks the model. The store begins to write the prompt first,
    // so that it has reached the disk by the time the reply comes.
    await turnOfTheLoop();
    try {
      const opened = await this.#opened();
      budget.startTurn();
      const id = promptId ?? `${opened.config.getSessionId()}########${randomUUID()}`;
      const { core, config, scheduler, textAhead } = opened;
      const report = this.#report;
      const beforeTools = (calls: readonly CoreToolRequest[]): Promise<void> => this.#beforeTools(opened, id, calls);
      const parts = { core, config, scheduler, textAhead };
      const loop = new TurnLoop({ ...parts, promptId: id, signal, budget, report, beforeTools });
      const result = await turn(opened, loop);
      opened.watch.forget();
      this.settings.tell(opened);
      this.#checkpoints.endTurn(opened, result);
      return result;
    } catch (error) {
      this.#checkpoints.giveUpTurn();
      return signal.aborted ? { state: 'canceled' } : { state: 'failed', error: errorText(error) };
    }
  }

  #end({ state, error }: ReplyEnd): void {
    this.#running = this.#abort = undefined;
    this.#host?.report({ type: 'ended', state, ...defined({ error }) });
  }

  readonly #report: EngineHost['report'] = (event) => {
    if (event.type === 'usage') this.#usage = sumOf(this.#usage, event.usage);
    this.#host?.report(event);
  };

  #opened(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      // The next turn tries again: a missing key may have been supplied in the meantime.
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Opened> {
    const { open, checkpoint, onError } = this.#options;
    const opened = await open();
    const { core, config, rules } = opened;
    const scheduler = new core.Scheduler({
      context: config,
      messageBus: config.messageBus,
      getPreferredEditor: () => undefined,
      schedulerId: core.ROOT_SCHEDULER_ID,
    });
    beginOnceStored(scheduler, async () => this.#host?.stored());
    const report = (call: ToolCall): void => this.#host?.report({ type: 'tool', call });
    const onDone = (call: CompletedToolCall): void => this.#checkpoints.callDone(opened, call);
    const isCanceled = (): boolean => this.#abort?.signal.aborted ?? false;
    const watch = new ToolWatch({ core, config, rules, report, isCanceled, onDone, onError });
    if (checkpoint) config.geminiClient.setHistory(checkpoint.history);
    if (checkpoint?.batch && !this.#checkpoints.isInBatch)
      await config.geminiClient.addHistory({ role: 'user', parts: responsesOf(checkpoint.batch) });
    this.settings.tell(opened);
    // As in `#turn`: the store begins to write the settings now. The first text would otherwise wait for them.
    await turnOfTheLoop();
    return { ...opened, scheduler, watch, textAhead: new TextAhead(config) };
  }

  /** Runs before anybody is asked, so a published question can be recovered after a crash. */
  async #beforeTools(opened: Opened, promptId: string, calls: readonly CoreToolRequest[]): Promise<void> {
    await keepRestorePoints(opened.core, opened.config, calls, promptId);
    this.#checkpoints.beginBatch(opened, promptId, calls);
  }
}
