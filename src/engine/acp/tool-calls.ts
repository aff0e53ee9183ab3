import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { cancelOption, type ToolCall } from '../../domain/tool-call.js';
import type { AgentToolCall, PermissionRequest } from './agent/agent-messages.js';
import { CallIds } from './call-ids.js';
import type { Habits } from './habits.js';
import { answered, type CallProgress, detailsOf, normalise, release, toCall } from './normalise.js';
import { type OfferedOptions, translateOptions } from './translate-options.js';

export type AgentToolCallsOptions = { readonly report: (call: ToolCall) => void };

/** `tool_call` announces a call or adds to one. Without a `sessionUpdate` it is an update. */
type CallUpdate = AgentToolCall & { readonly sessionUpdate?: 'tool_call' | 'tool_call_update' };

type Question = {
  readonly offered: OfferedOptions;
  readonly settle: (response: RequestPermissionResponse) => void;
};

/** How long an agent that once asked about a running call may take to ask the next time. */
const learnedMs = 10_000;

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** The tool calls of the running turn, and their unanswered questions. */
export class AgentToolCalls {
  habits: Habits = {};
  readonly #report: (call: ToolCall) => void;
  readonly #ids = new CallIds();
  /** By our id, like all maps below. */
  readonly #calls = new Map<string, CallProgress>();
  readonly #holds = new Map<string, NodeJS.Timeout>();
  readonly #questions = new Map<string, Question>();
  /** The newest question about each call. Its id stays with the call. */
  readonly #correlationIds = new Map<string, string>();
  #isCanceling = false;
  #wasRefused = false;
  #asked = 0;

  constructor({ report }: AgentToolCallsOptions) {
    this.#report = report;
  }

  /** Whether an update can only be about a call that is over. */
  isOver(update: CallUpdate): boolean {
    const id = this.#idOf(update);
    return id !== undefined && this.#calls.get(id)?.stage === 'over';
  }

  get areOver(): boolean {
    return [...this.#calls.values()].every(({ stage }) => stage === 'over');
  }

  /** Whether somebody refused a call in this turn. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  update(update: CallUpdate): void {
    this.#update(this.#idOf(update) ?? this.#ids.begin(update.toolCallId), update);
  }

  /** Asks about a call. Resolves when the question is answered, withdrawn or canceled. */
  ask({ toolCall, options }: PermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    if (this.#isCanceling) return Promise.resolve(cancelled);
    const open = this.#openIdOf(toolCall.toolCallId);
    // A call has only one open question at a time, so a second question is about another call.
    const id = open === undefined || this.#questions.has(open) ? this.#ids.begin(toolCall.toolCallId) : open;
    const isLate = this.#calls.get(id)?.stage === 'executing' && !this.#correlationIds.has(id);
    if (isLate) this.habits = { asksWithinMs: learnedMs, ...this.habits };
    this.#update(id, { ...toolCall, status: 'pending' });
    const { call } = this.#calls.get(id) ?? {};
    if (!call) return Promise.resolve(cancelled);
    this.#keep({ call, stage: 'pending' });
    const offered = translateOptions(options);
    const approval = { options: offered.options, refusals: offered.refusals, details: detailsOf(call) };
    this.#correlationIds.set(id, `${id}:${++this.#asked}`);
    return new Promise((resolve) => {
      const settle = (response: RequestPermissionResponse): void => {
        this.#questions.delete(id);
        resolve(response);
      };
      this.#questions.set(id, { offered, settle });
      signal.addEventListener('abort', () => this.#withdraw(id), { once: true });
      this.#publish([toCall(call, { status: 'waiting', approval })]);
    });
  }

  answer(callId: string, optionId: string): void {
    const question = this.#questions.get(callId);
    const known = this.#calls.get(callId);
    if (!question || !known) return;
    const { offered } = question;
    const isRefused = optionId === cancelOption || offered.refusals.includes(optionId);
    if (isRefused) this.#wasRefused = true;
    this.#keep(answered(known, isRefused));
    const agentId = offered.agentIdOf(optionId);
    question.settle(agentId === undefined ? cancelled : { outcome: { outcome: 'selected', optionId: agentId } });
  }

  /** Stops the turn: withdraws open questions, and counts later failures as cancelled. */
  cancel(): void {
    this.#isCanceling = true;
    for (const id of this.#questions.keys()) this.#withdraw(id);
  }

  /** Forgets the calls of the finished turn. */
  clear(): void {
    for (const { settle } of this.#questions.values()) settle(cancelled);
    for (const timer of this.#holds.values()) clearTimeout(timer);
    this.#holds.clear();
    this.#ids.endTurn();
    this.#calls.clear();
    this.#correlationIds.clear();
    this.#isCanceling = this.#wasRefused = false;
  }

  /** The call that an update is about. Undefined if the update begins a new call. */
  #idOf(update: CallUpdate): string | undefined {
    const open = this.#openIdOf(update.toolCallId);
    return open ?? (begins(update) ? undefined : this.#ids.of(update.toolCallId).at(-1));
  }

  /** If several calls have the same id, the agent means the oldest. */
  #openIdOf(agentId: string): string | undefined {
    return this.#ids.of(agentId).find((id) => this.#calls.get(id)?.stage !== 'over');
  }

  #update(id: string, update: AgentToolCall): void {
    const known = this.#calls.get(id);
    const isNamed = known !== undefined || this.habits.firstTitleIsName === undefined;
    const name = isNamed ? update.name : (update.name ?? update.title);
    const { progress, reports } = normalise(known, { ...update, name, toolCallId: id }, this.#isCanceling);
    this.#keep(progress);
    this.#publish(reports);
    if (progress.stage === 'held' && this.habits.asksWithinMs === undefined) this.#release(id);
  }

  #withdraw(id: string): void {
    const question = this.#questions.get(id);
    const known = this.#calls.get(id);
    if (!question || !known) return;
    this.#keep(answered(known, true));
    this.#publish([toCall(known.call, { status: 'cancelled' })]);
    question.settle(cancelled);
  }

  #keep(progress: CallProgress): void {
    const { id } = progress.call;
    this.#calls.set(id, progress);
    const timer = this.#holds.get(id);
    if (progress.stage === 'held') {
      if (!timer)
        this.#holds.set(
          id,
          setTimeout(() => this.#release(id), this.habits.asksWithinMs),
        );
      return;
    }
    clearTimeout(timer);
    this.#holds.delete(id);
  }

  #release(id: string): void {
    this.#holds.delete(id);
    const known = this.#calls.get(id);
    if (!known) return;
    const { progress, reports } = release(known);
    this.#keep(progress);
    this.#publish(reports);
  }

  #publish(calls: readonly ToolCall[]): void {
    for (const call of calls) {
      const correlationId = this.#correlationIds.get(call.id);
      this.#report(correlationId === undefined ? call : { ...call, correlationId });
    }
  }
}

/** Agents announce a call again when it ends. Only an announcement that is not over begins a new call. */
function begins({ sessionUpdate, status }: CallUpdate): boolean {
  return sessionUpdate === 'tool_call' && status !== 'completed' && status !== 'failed';
}
