import type { SendRequestOptions } from '@agentclientprotocol/sdk';
import type { Origin } from '../../domain/events.js';
import { type Answer, cancelOption, type ToolCall, type WaitingCall } from '../../domain/tool-call.js';
import type { Dialect } from '../../protocols/acp/dialect.js';
import { fromPermissionResponse } from '../../protocols/acp/permission.js';
import {
  chosenLabel,
  fromForm,
  type Question,
  readQuestions,
  toChoices,
  toForm,
} from '../../protocols/acp/questions.js';
import type { Session } from '../../session/session.js';
import type { ServerLog } from '../server-log.js';
import type { RemoteClient } from './update.js';

export type PermissionAskerOptions = {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly client: RemoteClient;
  readonly origin: Origin;
  readonly hasForms: boolean;
  readonly log: ServerLog;
};

type OpenQuestion = { readonly id: string; readonly withdraw: AbortController };

/**
 * Asks one client about every call that waits. All clients are asked at once; when one has answered, the requests to the
 * others are withdrawn (`$/cancel_request`). A client that does not choose, or is gone, has not said no.
 */
export class PermissionAsker {
  readonly #options: PermissionAskerOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: PermissionAskerOptions) {
    this.#options = options;
  }

  onCall(call: ToolCall): void {
    const open = this.#open.get(call.id);
    if (call.status === 'waiting' && open?.id === questionOf(call)) return;
    open?.withdraw.abort();
    this.#open.delete(call.id);
    if (call.status === 'waiting') void this.#ask(call);
  }

  withdrawAll(): void {
    for (const { withdraw } of this.#open.values()) withdraw.abort();
    this.#open.clear();
  }

  async #ask(call: WaitingCall): Promise<void> {
    const { session, origin, log } = this.#options;
    const id = questionOf(call);
    const withdraw = new AbortController();
    this.#open.set(call.id, { id, withdraw });
    try {
      const answer = await this.#answerOf(call, { cancellationSignal: withdraw.signal, stopWaitingOnCancel: true });
      if (answer && !withdraw.signal.aborted) session.answer(id, answer, origin);
    } catch (error) {
      log.debug('permission not answered', { client: origin.client, call: call.id, cause: error });
    }
  }

  async #answerOf(call: WaitingCall, options: SendRequestOptions): Promise<Answer | undefined> {
    const { client, session, dialect, hasForms } = this.#options;
    const { details } = call.approval;
    const questions = details.kind === 'questions' ? readQuestions(details.questions) : [];
    if (questions.length === 0) {
      const request = dialect.toPermissionRequest(session.id, call);
      return fromPermissionResponse(await client.request('session/request_permission', request, options));
    }
    if (!hasForms) return this.#askOneByOne(call, questions, options);
    const form = {
      mode: 'form',
      sessionId: session.id,
      toolCallId: call.id,
      requestedSchema: toForm(questions),
    } as const;
    const message = questions.map(({ question }) => question).join('\n');
    return fromForm(await client.request('elicitation/create', { ...form, message }, options));
  }

  /** Without forms each question of the agent is a permission of its own. What has to be typed is left to other clients. */
  async #askOneByOne(
    call: WaitingCall,
    questions: readonly Question[],
    options: SendRequestOptions,
  ): Promise<Answer | undefined> {
    const { client, session, dialect } = this.#options;
    const choices = questions.map(toChoices);
    if (choices.includes(undefined)) return undefined;
    const answers: Record<string, string> = {};
    for (const [index, question] of questions.entries()) {
      const asked = dialect.toPermissionRequest(session.id, call, {
        title: question.question,
        options: choices[index] ?? [],
      });
      const chosen = fromPermissionResponse(await client.request('session/request_permission', asked, options));
      if (chosen === undefined || chosen.answers !== undefined) return chosen;
      const label = chosenLabel(question, chosen.optionId);
      if (label === undefined) return { optionId: cancelOption };
      answers[String(index)] = label;
    }
    return { optionId: 'proceed_once', answers };
  }
}

/** The same call can ask twice; then its question has another id. */
function questionOf(call: ToolCall): string {
  return call.correlationId ?? call.id;
}
