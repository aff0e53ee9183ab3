import { setTimeout as sleep } from 'node:timers/promises';
import type { CompletedToolCall, Config, Part, Scheduler } from '@google/gemini-cli-core';
import type { LogLevel } from '../../domain/events.js';
import type { EngineEvent } from '../engine.js';
import type { CoreStreamEvent, CoreToolRequest } from '../gemini/core-types.js';
import { errorText } from '../gemini/error-text.js';
import type { Budget } from './budget.js';
import { responsesOf, type Resumption, withDone } from './checkpoint.js';
import { type Core, listening, listeningUntil } from './core/core.js';
import { LoopGuard } from './loop-guard.js';
import { readReply, type Reply, type ReplyEnd } from './read-reply.js';
import type { TextAhead } from './text-ahead.js';

export type TurnLoopOptions = {
  readonly core: Core;
  readonly config: Config;
  readonly scheduler: Scheduler;
  readonly textAhead: TextAhead;
  readonly promptId: string;
  readonly signal: AbortSignal;
  readonly budget: Budget;
  readonly report: (event: EngineEvent) => void;
  /** Called before a batch of tool calls. The batch starts once it has resolved. */
  readonly beforeTools: (calls: readonly CoreToolRequest[]) => Promise<void>;
};

/** The pauses before each retry of a reply that broke off. */
const retryMs = [1000, 2000, 4000];

/** Asks the model, runs the tools it wants and sends it their results, until it wants no more. */
export class TurnLoop {
  readonly #options: TurnLoopOptions;
  readonly #loops = new LoopGuard();

  constructor(options: TurnLoopOptions) {
    this.#options = options;
  }

  readonly #log = (level: LogLevel, text: string): void => this.#options.report({ type: 'log', level, text });

  run(prompt: readonly Part[]): Promise<ReplyEnd> {
    return this.#guarded(() => this.#converse(prompt, false));
  }

  /** Continues where another process stopped. */
  resume({ batch, open }: Resumption): Promise<ReplyEnd> {
    return this.#guarded(async () => {
      const done = open.length === 0 ? [] : await this.#runTools(open);
      const responses = responsesOf(withDone(batch, done));
      return (await this.#endAfter(done, responses)) ?? this.#converse(responses, true);
    });
  }

  async #guarded(run: () => Promise<ReplyEnd>): Promise<ReplyEnd> {
    try {
      return await run();
    } catch (error) {
      if (this.#options.signal.aborted) return { state: 'canceled' };
      return { state: 'failed', error: errorText(error) };
    }
  }

  async #converse(prompt: readonly Part[], hasRunTools: boolean): Promise<ReplyEnd> {
    let parts = prompt;
    let hasHistory = hasRunTools;
    for (;;) {
      const { calls, end } = await this.#ask(parts, hasHistory);
      if (end) return end;
      if (calls.length === 0) return { state: 'completed' };
      const done = await this.#runTools(calls);
      parts = done.flatMap(({ response }) => response.responseParts);
      const over = await this.#endAfter(done, parts);
      if (over) return over;
      hasHistory = true;
    }
  }

  /** How the turn ends with these calls. Undefined if their results go to the model. */
  async #endAfter(done: readonly CompletedToolCall[], responses: readonly Part[]): Promise<ReplyEnd | undefined> {
    const { config, signal, core } = this.#options;
    const client = config.geminiClient;
    client.getChat().recordCompletedToolCalls(client.getCurrentSequenceModel() ?? config.getModel(), [...done]);
    const stopped = done.find(({ response }) => response.errorType === core.ToolErrorType.STOP_EXECUTION);
    const isDeclined = done.length > 0 && done.every(({ status }) => status === core.CoreToolCallStatus.Cancelled);
    if (!signal.aborted && !stopped && !isDeclined) return undefined;
    await client.addHistory({ role: 'user', parts: [...responses] });
    if (signal.aborted) return { state: 'canceled' };
    if (!stopped) return { state: 'completed' };
    return { state: 'failed', error: stopped.response.error?.message ?? 'a hook stopped the turn' };
  }

  async #runTools(calls: readonly CoreToolRequest[]): Promise<CompletedToolCall[]> {
    const { scheduler, signal, beforeTools, promptId } = this.#options;
    this.#loops.reset();
    await beforeTools(calls);
    const requests = calls.map((call) => ({ isClientInitiated: false, prompt_id: promptId, ...call }));
    const done = await listening(this.#log, () => scheduler.schedule(requests, signal));
    // The model may have given several calls the same id and tells them apart by their order.
    const places = new Map(calls.map(({ callId }, place) => [callId, place]));
    return done.toSorted((a, b) => (places.get(a.request.callId) ?? 0) - (places.get(b.request.callId) ?? 0));
  }

  /** `hasRunTools`: the parts are results of tools in this turn. They have happened even if the turn is cancelled. */
  async #ask(parts: readonly Part[], hasRunTools: boolean): Promise<Reply> {
    const { config, report, signal } = this.#options;
    const client = config.geminiClient;
    const before = [...client.getChat().getHistoryTurns()];
    for (let tries = 0; ; tries++) {
      const reply = await this.#askOnce(parts);
      if (reply.end?.state === 'canceled' && hasRunTools) {
        // Core removes the whole prompt from the history.
        client.setHistory(before);
        await client.addHistory({ role: 'user', parts: [...parts] });
      }
      if (reply.brokeOff === undefined) return reply;
      client.setHistory(before);
      const pauseMs = retryMs[tries];
      const why = `The reply broke off (${reply.brokeOff})`;
      if (pauseMs === undefined) return { ...reply, end: { state: 'failed', error: why } };
      report({ type: 'log', level: 'warn', text: `${why} and is requested again: it starts from the beginning.` });
      await sleep(pauseMs, undefined, { signal });
    }
  }

  async #askOnce(parts: readonly Part[]): Promise<Reply> {
    const { config, signal, promptId, budget, report, textAhead } = this.#options;
    const { exhausted } = budget;
    if (exhausted !== undefined) return { calls: [], tokens: 0, end: { state: 'failed', error: exhausted } };
    budget.startCall();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of core's type that we read
    const stream = config.geminiClient.sendMessageStream(
      [...parts],
      signal,
      promptId,
    ) as AsyncIterable<CoreStreamEvent>;
    const heard = listeningUntil(this.#log, stream, ({ type }) => type === 'content' || type === 'thought');
    const stop = textAhead.listen({ signal, report: (text) => report({ type: 'text', text }) });
    try {
      const reply = await readReply(heard, { loops: this.#loops, report, isReported: () => textAhead.has() });
      budget.spend(reply.tokens);
      return reply;
    } finally {
      stop();
    }
  }
}
