import { existsSync } from 'node:fs';
import { allowOnceOption, type Answer, cancelOption } from '../../domain/tool-call.js';
import { RecentMap } from '../../util/recent-map.js';
import { safely } from '../../util/safely.js';
import type { EngineHost } from '../engine.js';
import type { CoreToolCall } from '../gemini/core-types.js';
import { readPlan } from '../gemini/read-plan.js';
import { type ApprovalRules } from '../gemini/translate-approval.js';
import { toBusMessage } from '../gemini/answer-message.js';
import { translateCall } from '../gemini/translate-call.js';
import type { CliBusMessage, CliMessageBus } from './cli-types.js';
import type { Terminal } from './terminal.js';

export type ApprovalBridgeOptions = {
  readonly terminal: Terminal;
  readonly bus: CliMessageBus;
  readonly host: () => EngineHost | undefined;
  readonly onError: (error: unknown) => void;
};

/**
 * Sits on the CLI's message bus between its dialogs and its tools. An answer given in the terminal must win at the hub
 * before it may pass, so there is exactly one winner.
 */
export class ApprovalBridge {
  readonly #options: ApprovalBridgeOptions;
  /** By call id. Core sends the whole batch on every change, mostly unchanged. */
  readonly #seen = new RecentMap<string, CoreToolCall>(500);
  readonly #callOfQuestion = new RecentMap<string, string>(500);
  readonly #publish: CliMessageBus['publish'];

  constructor(options: ApprovalBridgeOptions) {
    this.#options = options;
    this.#publish = options.bus.publish.bind(options.bus);
  }

  attach(): void {
    const { bus, onError } = this.#options;
    bus.subscribe(
      'tool-calls-update',
      safely(({ toolCalls }) => toolCalls.forEach((call) => this.#onCall(call)), onError),
    );
    bus.publish = async (message) => (this.#mayPass(message) ? this.#publish(message) : undefined);
  }

  answer(callId: string, answer: Answer): void {
    const call = this.#seen.get(callId);
    if (call?.correlationId === undefined) return;
    const message = toBusMessage(call.correlationId, call, answer);
    // Core misses an answer that is published while it announces the question.
    setImmediate(() => void this.#publish(message).catch(this.#options.onError));
  }

  /** An approved shell command is starting. A cancel now would mark it as cancelled and leave its process running. */
  get isStartingProcess(): boolean {
    return [...this.#seen.values()].some(isStarting);
  }

  #onCall(call: CoreToolCall): void {
    const { callId } = call.request;
    if (this.#seen.get(callId) === call) return;
    this.#seen.set(callId, call);
    if (call.correlationId !== undefined) this.#callOfQuestion.set(call.correlationId, callId);
    const translated = translateCall(call, this.#rules);
    if (translated) this.#options.host()?.report({ type: 'tool', call: translated });
  }

  #mayPass(message: CliBusMessage): boolean {
    if (message.type !== 'tool-confirmation-response' || message.requiresUserConfirmation) return true;
    const callId = this.#callOfQuestion.get(message.correlationId ?? '');
    const host = this.#options.host();
    if (callId === undefined || !host) return true;
    try {
      return host.tryAnswer(callId, message.outcome ?? (message.confirmed ? allowOnceOption : cancelOption));
    } catch (error) {
      this.#options.onError(error);
      return true;
    }
  }

  get #rules(): ApprovalRules {
    const { config, settings } = this.#options.terminal;
    const disabled = config?.getDisableAlwaysAllow?.() ?? false;
    return {
      mayAllowSession: (config?.isTrustedFolder() ?? false) && !disabled,
      mayAllowForever: (settings?.merged.security?.enablePermanentToolApproval ?? false) && !disabled,
      fileExists: existsSync,
      readPlan,
    };
  }
}

function isStarting({ status, request, pid, outcome }: CoreToolCall): boolean {
  if (request.name !== 'run_shell_command' || pid !== undefined) return false;
  return status === 'scheduled' || status === 'executing' || (status === 'awaiting_approval' && outcome !== undefined);
}
