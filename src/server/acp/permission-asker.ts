import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import { allowOnceOption, type Answer, type ToolCall, type WaitingCall } from '../../domain/tool-call.js';
import type { AcpDialect, AcpReader } from '../../dialects/acp/dialect.js';
import { type Question, readQuestions } from '../../dialects/shared/agent-questions.js';
import { fromPermissionResponse } from '../../dialects/acp-v1/permission.js';
import { chosenLabel, fromForm, toChoices, toForm } from '../../dialects/acp/questions.js';
import { toRefusal } from '../../dialects/acp/refusal.js';
import type { SessionPort } from '../../session/session-port.js';
import type { ServerLog } from '../../domain/server-log.js';
import { type Outlet, type RemoteClient, SessionUpdate } from './update.js';

export type PermissionAskerOptions = {
  readonly session: SessionPort;
  readonly dialect: AcpDialect;
  readonly client: RemoteClient;
  readonly outlet: Outlet;
  readonly reader: AcpReader;
  readonly origin: Origin;
  readonly hasForms: boolean;
  readonly log: ServerLog;
};

type OpenQuestion = {
  readonly id: string;
  readonly callId: string;
  readonly withdraw: AbortController;
  /** Why an answer is too late, once another client was faster. */
  tooLate?: string;
};

/**
 * Asks one client about every waiting tool call. All clients are asked at the same time. Once one has answered, the requests
 * to the others are withdrawn (`$/cancel_request`). Dismissing a request or disconnecting does not count as a rejection. A
 * client that answers too late is sent the reason for the refusal.
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
    if (open) open.tooLate = tooLate(call);
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
    const question = { id: questionOf(call), callId: call.id, withdraw: new AbortController() };
    this.#open.set(call.id, question);
    try {
      const answer = await this.#answerOf(call, question);
      if (answer) await this.#submit(question, answer);
    } catch (error) {
      log.debug('permission not answered', { client: origin.client, call: call.id, cause: error });
    }
  }

  async #submit(question: OpenQuestion, answer: Answer): Promise<void> {
    const { session, origin } = this.#options;
    if (question.tooLate !== undefined) return this.#refuse(question.callId, answer, question.tooLate);
    // The client has left the session, so nothing more is sent to it.
    if (question.withdraw.signal.aborted) return;
    try {
      await session.sendAnswer(question.id, answer, origin);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#refuse(question.callId, answer, error.message);
    }
  }

  #refuse(callId: string, { optionId }: Answer, reason: string): void {
    const { session, outlet, reader } = this.#options;
    outlet.send(new SessionUpdate(session.id, toRefusal({ callId, optionId, reason }, reader)));
  }

  async #answerOf(call: WaitingCall, question: OpenQuestion): Promise<Answer | undefined> {
    const { client, session, dialect, hasForms } = this.#options;
    const { details } = call.approval;
    const questions = details.kind === 'questions' ? readQuestions(details.questions) : [];
    if (questions.length === 0) return this.#askPermission(dialect.toPermissionRequest(session.id, call), question);
    if (!hasForms) return this.#askOneByOne(call, questions, question);
    const form = {
      mode: 'form',
      sessionId: session.id,
      toolCallId: call.id,
      requestedSchema: toForm(questions),
      message: questions.map((each) => each.question).join('\n'),
    } as const;
    const options = { cancellationSignal: question.withdraw.signal };
    return this.#unlessWithdrawn(client.request('elicitation/create', form, options).then(fromForm), question);
  }

  /** Without forms, each question of the agent is a separate permission request. Free text is left to other clients. */
  async #askOneByOne(
    call: WaitingCall,
    questions: readonly Question[],
    question: OpenQuestion,
  ): Promise<Answer | undefined> {
    const { session, dialect } = this.#options;
    const choices = questions.map(toChoices);
    if (choices.includes(undefined)) return undefined;
    const answers: Record<string, string> = {};
    for (const [index, asked] of questions.entries()) {
      const part = { title: asked.question, options: choices[index] ?? [] };
      const chosen = await this.#askPermission(dialect.toPermissionRequest(session.id, call, part), question);
      if (chosen === undefined || chosen.answers !== undefined) return chosen;
      const label = chosenLabel(asked, chosen.optionId);
      // Dismissed, or not one of the options: the session handles both.
      if (label === undefined) return chosen;
      answers[String(index)] = label;
    }
    return { optionId: allowOnceOption, answers };
  }

  #askPermission(request: object, question: OpenQuestion): Promise<Answer | undefined> {
    const options = { cancellationSignal: question.withdraw.signal };
    const response = this.#options.client.request('session/request_permission', request, options);
    return this.#unlessWithdrawn(response.then(fromPermissionResponse), question);
  }

  /**
   * Rejects when the question is withdrawn, so a client that never answers keeps only its ids in memory. Later answers are
   * refused here.
   */
  #unlessWithdrawn(answered: Promise<Answer | undefined>, question: OpenQuestion): Promise<Answer | undefined> {
    const { signal } = question.withdraw;
    return new Promise((resolve, reject) => {
      const onAnswer = (answer: Answer | undefined): void => {
        if (!signal.aborted) resolve(answer);
        else if (answer) this.#submit(question, answer).catch(reject);
      };
      signal.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true });
      answered.then(onAnswer, reject);
    });
  }
}

function tooLate({ resolution }: ToolCall): string {
  if (!resolution) return 'too late: the question is no longer open';
  const { by, optionId } = resolution;
  return `too late: ${by.client ?? by.surface} has answered "${optionId}"`;
}

/** The same tool call can ask twice. The second question then has another id. */
function questionOf(call: ToolCall): string {
  return call.correlationId ?? call.id;
}
