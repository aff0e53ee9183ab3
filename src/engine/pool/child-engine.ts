import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { noChoices, type Settable } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { EngineHost } from '../engine.js';
import type { EngineRequest, TaskTools } from '../task-engine.js';
import { Replies } from '../../util/replies.js';
import type { FromChild, Offers, ToChild, Wish } from './child-messages.js';
import type { UngatedEngine } from './gated-engine.js';
import type { HeadlessSetup } from './open-headless.js';
import { withoutOwnSecrets } from './own-secrets.js';

const program = fileURLToPath(new URL('../engine-child.js', import.meta.url));

/** How long a child may take to end before it is killed. */
const graceMs = 5000;

/** The headless engine of one task, in its own process. */
export class ChildEngine implements UngatedEngine {
  readonly #child: ChildProcess;
  readonly #save: EngineRequest['save'];
  readonly #onProblem: (text: string) => void;
  readonly #replies = new Replies<TaskTools | undefined>();
  #host: EngineHost | undefined;
  #offers: Offers = { commands: [], choices: noChoices };
  #isRunning = false;
  #isDisposed = false;
  #hasEnded = false;

  constructor(
    { onProblem, onError: _onError, ...options }: HeadlessSetup,
    { save, mcpServers, ...request }: EngineRequest,
  ) {
    this.#save = save;
    this.#onProblem = (text) => onProblem(request.workspace, text);
    this.#child = fork(program, {
      env: withoutOwnSecrets(options.env),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message: FromChild) => this.#onMessage(message));
    this.#child.once('exit', (code, signal) => this.#onEnded(signal ?? `code ${code}`));
    // The child could not be started, or no longer accepts messages.
    this.#child.once('error', ({ message }) => {
      this.#child.kill('SIGKILL');
      this.#onEnded(message);
    });
    this.#send({ type: 'open', options, request: { ...request, mcpServers: mcpServers?.() ?? [] } });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  start: UngatedEngine['start'] = (request, turnId) => {
    this.#isRunning = true;
    this.#send({ type: 'start', request, turnId });
  };

  resume: NonNullable<UngatedEngine['resume']> = (turn) => {
    this.#isRunning = true;
    this.#send({ type: 'resume', turn });
  };

  answer: UngatedEngine['answer'] = (callId, answer) => this.#send({ type: 'answer', callId, answer });
  cancel: UngatedEngine['cancel'] = () => this.#send({ type: 'cancel' });
  commands: UngatedEngine['commands'] = () => this.#offers.commands;
  /** The child itself refuses a command when it is asked to run it. */
  refusalOfCommand: UngatedEngine['refusalOfCommand'] = () => undefined;

  readonly settings: Settable = {
    open: () => this.#ask({ of: 'settings' }),
    choices: () => this.#offers.choices,
    setMode: async (id, by) => void (await this.#ask({ of: 'mode', id, by })),
    setModel: async (id, by) => void (await this.#ask({ of: 'model', id, by })),
  };

  async tools(): Promise<TaskTools> {
    return (await this.#ask({ of: 'tools' })) ?? { tools: [], mcpServers: [] };
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.disconnect();
    setTimeout(() => this.#child.kill('SIGKILL'), graceMs).unref();
    await ended;
  }

  #ask(wish: Wish): Promise<TaskTools | undefined> {
    return this.#replies.ask((number) => this.#send({ type: 'ask', number, wish }));
  }

  #send(message: ToChild): void {
    if (this.#child.connected) this.#child.send(message);
  }

  #onMessage(message: FromChild): void {
    switch (message.type) {
      case 'offers':
        this.#offers = message.offers;
        return undefined;
      case 'report':
        if (message.event.type === 'ended') this.#isRunning = false;
        return this.#host?.report(message.event);
      case 'save':
        return this.#replyWhen(this.#save(message.checkpoint), message.number);
      case 'flush':
        return this.#replyWhen(this.#host?.stored() ?? Promise.resolve(), message.number);
      case 'done':
        return this.#replies.resolve(message.number, message.tools);
      case 'refused': {
        const { number, code, message: why } = message;
        return this.#replies.reject(number, code === undefined ? new Error(why) : new AppError(code, why));
      }
      case 'problem':
        return this.#onProblem(message.text);
    }
  }

  #replyWhen(saved: Promise<void>, number: number): void {
    saved.then(
      () => this.#send({ type: 'saved', number }),
      (error: unknown) => this.#send({ type: 'saved', number, error: String(error) }),
    );
  }

  /** Fails the running turn. The next turn gets a new process, which continues from the last checkpoint. */
  #onEnded(how: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const why = `the process of this task ended unexpectedly (${how})`;
    this.#replies.rejectAll(new AppError('not-ready', why));
    if (this.#isRunning && !this.#isDisposed) this.#host?.report({ type: 'ended', state: 'failed', error: why });
  }
}
