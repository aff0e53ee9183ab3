import type { CompletedToolCall, Config, ToolCallsUpdateMessage } from '@google/gemini-cli-core';
import { allowOnceOption, type Answer, type ToolCall } from '../../domain/tool-call.js';
import type { CoreToolCall } from '../gemini/core-types.js';
import { toBusMessage } from '../gemini/answer-message.js';
import type { ApprovalRules } from '../gemini/translate-approval.js';
import { translateCall } from '../gemini/translate-call.js';
import type { Core } from './core/core.js';

export type ToolWatchOptions = {
  readonly core: Core;
  readonly config: Config;
  readonly rules: ApprovalRules;
  readonly report: (call: ToolCall) => void;
  readonly isCanceled: () => boolean;
  /** A call is over and its response to the model is known. */
  readonly onDone: (call: CompletedToolCall) => void;
  readonly onError: (error: unknown) => void;
};

/** Watches the tool calls of one session on core's message bus, and answers their questions. */
export class ToolWatch {
  readonly #options: ToolWatchOptions;
  /** By call id. Core repeats the whole batch on every change. */
  readonly #seen = new Map<string, CoreToolCall>();
  /** Answers given after a restart, before core has asked again. */
  readonly #early = new Map<string, Answer>();

  constructor(options: ToolWatchOptions) {
    this.#options = options;
    const { core, config, onError } = options;
    const bus = config.messageBus;
    // Without this listener, an error in any other listener would end the process.
    bus.on('error', onError);
    bus.subscribe<ToolCallsUpdateMessage>(core.MessageBusType.TOOL_CALLS_UPDATE, this.#onUpdate);
  }

  answer(callId: string, answer: Answer): void {
    const call = this.#seen.get(callId);
    if (call?.correlationId === undefined) this.#early.set(callId, answer);
    else this.#publish(call.correlationId, call, answer);
  }

  /** Called between turns, when no question is open. */
  forget(): void {
    this.#seen.clear();
    this.#early.clear();
  }

  close(): void {
    const { core, config } = this.#options;
    config.messageBus.unsubscribe(core.MessageBusType.TOOL_CALLS_UPDATE, this.#onUpdate);
  }

  readonly #onUpdate = ({ toolCalls }: ToolCallsUpdateMessage): void => {
    for (const update of toolCalls) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of core's type that we read
      const call = update as unknown as CoreToolCall;
      const { callId } = call.request;
      const before = this.#seen.get(callId);
      if (before === call) continue;
      this.#seen.set(callId, call);
      // Core announces a tool that `beginOnceStored` does not start any more.
      if (call.status === 'executing' && before?.status !== 'executing' && this.#options.isCanceled()) continue;
      if (isCompleted(update)) this.#options.onDone(update);
      const early = call.status === 'awaiting_approval' ? this.#early.get(callId) : undefined;
      if (early && call.correlationId !== undefined) {
        this.#early.delete(callId);
        this.#publish(call.correlationId, call, early);
        continue;
      }
      const translated = translateCall(call, this.#options.rules);
      if (translated) this.#options.report(translated);
    }
  };

  #publish(correlationId: string, call: CoreToolCall, answer: Answer): void {
    const { config, onError } = this.#options;
    const message = toBusMessage(correlationId, call, this.#inThisSession(call, answer));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- core's own message, with its enums as strings
    const publish = config.messageBus.publish.bind(config.messageBus) as (message: unknown) => Promise<void>;
    // Core misses an answer that is published while it announces the question.
    setImmediate(() => void publish(message).catch(onError));
  }

  /** Core keeps "always" for MCP tools in a set that all sessions share. As a policy it applies only to this session. */
  #inThisSession(call: CoreToolCall, answer: Answer): Answer {
    const { core, config, onError } = this.#options;
    if (call.confirmationDetails?.type !== 'mcp') return answer;
    if (answer.optionId === 'proceed_always_tool') return { ...answer, optionId: 'proceed_always' };
    if (answer.optionId !== 'proceed_always_server') return answer;
    const { serverName } = call.confirmationDetails;
    const toolName = core.formatMcpToolName(serverName, '*');
    config.messageBus
      .publish({ type: core.MessageBusType.UPDATE_POLICY, toolName, mcpName: serverName })
      .catch(onError);
    return { ...answer, optionId: allowOnceOption };
  }
}

function isCompleted(call: ToolCallsUpdateMessage['toolCalls'][number]): call is CompletedToolCall {
  const status: string = call.status;
  return status === 'success' || status === 'error' || status === 'cancelled';
}
