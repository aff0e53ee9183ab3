import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import { type Answer, type ToolCall, type WaitingCall } from '../../domain/tool-call.js';
import type { Dialect, Reader } from '../../protocols/acp/dialect.js';
import { fromPermissionResponse } from '../../protocols/acp/permission.js';
import {
  chosenLabel,
  fromForm,
  type Question,
  readQuestions,
  toChoices,
  toForm,
} from '../../protocols/acp/questions.js';
import { toRefusal } from '../../protocols/acp/refusal.js';
import type { Session } from '../../session/session.js';
import type { ServerLog } from '../server-log.js';
import { type Outlet, type RemoteClient, Update } from './update.js';

export type PermissionAskerOptions = {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly client: RemoteClient;
  readonly outlet: Outlet;
  readonly reader: Reader;
  readonly origin: Origin;
  readonly hasForms: boolean;
  readonly log: ServerLog;
};

type OpenQuestion = {
  readonly id: string;
  readonly withdraw: AbortController;
  /** What became of the call, when others were faster. */
  overtakenBy?: ToolCall;
};

/**
 * Asks one client about every call that waits. All clients are asked at once; when one has answered, the requests to the
 * others are withdrawn (`$/cancel_request`). A client that does not choose, or is gone, has not said no; one whose answer
 * comes nevertheless is told what became of it.
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
    if (open) open.overtakenBy = call;
    open?.withdraw.abort();
    this.#open.delete(call.id);
    if (call.status === 'waiting') void this.#ask(call);
  }

  withdrawAll(): void {
    for (const { withdraw } of this.#open.values()) withdraw.abort();
    this.#open.clear();
  }

  async #ask(call: WaitingCall): Promise<void> {
    const { origin, log } = this.#options;
    const question: OpenQuestion = { id: questionOf(call), withdraw: new AbortController() };
    this.#open.set(call.id, question);
    try {
      const answer = await this.#answerOf(call, question.withdraw.signal);
      if (answer) this.#submit(call.id, question, answer);
    } catch (error) {
      log.debug('permission not answered', { client: origin.client, call: call.id, cause: error });
    }
  }

  #submit(callId: string, { id, withdraw, overtakenBy }: OpenQuestion, answer: Answer): void {
    const { session, origin } = this.#options;
    if (overtakenBy) return this.#refuse(callId, answer, tooLate(overtakenBy));
    // It has left the session, and hears no more of it.
    if (withdraw.signal.aborted) return;
    try {
      session.answer(id, answer, origin);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#refuse(callId, answer, error.message);
    }
  }

  #refuse(callId: string, { optionId }: Answer, reason: string): void {
    const { session, outlet, reader } = this.#options;
    outlet.send(new Update(session.id, toRefusal({ callId, optionId, reason }, reader)));
  }

  async #answerOf(call: WaitingCall, cancellationSignal: AbortSignal): Promise<Answer | undefined> {
    const { client, session, dialect, hasForms } = this.#options;
    const { details } = call.approval;
    const options = { cancellationSignal };
    const questions = details.kind === 'questions' ? readQuestions(details.questions) : [];
    if (questions.length === 0) {
      const request = dialect.toPermissionRequest(session.id, call);
      return fromPermissionResponse(await client.request('session/request_permission', request, options));
    }
    if (!hasForms) return this.#askOneByOne(call, questions, cancellationSignal);
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
    cancellationSignal: AbortSignal,
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
      const response = await client.request('session/request_permission', asked, { cancellationSignal });
      const chosen = fromPermissionResponse(response);
      if (chosen === undefined || chosen.answers !== undefined || cancellationSignal.aborted) return chosen;
      const label = chosenLabel(question, chosen.optionId);
      // Dismissed, or none of the options: the session knows.
      if (label === undefined) return chosen;
      answers[String(index)] = label;
    }
    return { optionId: 'proceed_once', answers };
  }
}

function tooLate({ resolution }: ToolCall): string {
  if (!resolution) return 'too late: nobody waits for this answer any more';
  const { by, optionId } = resolution;
  return `too late: ${by.client ?? by.surface} has answered "${optionId}"`;
}

/** The same call can ask twice; then its question has another id. */
function questionOf(call: ToolCall): string {
  return call.correlationId ?? call.id;
}
