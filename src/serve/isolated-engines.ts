import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from '../domain/command.js';
import type { EngineHost } from '../engine/engine.js';
import type { TaskTools } from '../session/server-tasks.js';
import type { EngineRequest, Engines } from '../session/task-engine.js';
import type { Json } from '../stores/store.js';
import type { FromChild, ToChild } from './child-messages.js';
import { GatedEngine, type ProcessEngine } from './gated-engine.js';
import { headlessEngines, type HeadlessEnginesOptions } from './headless-engines.js';

const program = fileURLToPath(new URL('../engine-child.js', import.meta.url));

/** Engines on gemini-cli-core, each task in a process of its own: one that crashes or leaks takes no other with it. */
export function isolatedEngines(options: HeadlessEnginesOptions): Engines {
  return {
    ...headlessEngines(options),
    open(request) {
      let { checkpoint } = request;
      const save = (next: Json): Promise<void> => request.save((checkpoint = next));
      return new GatedEngine({
        open: () => new ChildEngine(options, { ...request, save, ...(checkpoint === undefined ? {} : { checkpoint }) }),
        gate: options.gate,
        owner: request.owner || request.id,
        canResume: typeof checkpoint === 'object' && checkpoint !== null && 'batch' in checkpoint,
      });
    },
  };
}

class ChildEngine implements ProcessEngine {
  readonly opened: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #save: EngineRequest['save'];
  readonly #onProblem: (text: string) => void;
  #host: EngineHost | undefined;
  #commands: readonly Command[] = [];
  #isRunning = false;
  #isDisposed = false;
  #onTools: (result: FromChild & { type: 'tools' }) => void = () => {};

  constructor(
    { onProblem, gate: _gate, onError: _onError, ...options }: HeadlessEnginesOptions,
    request: EngineRequest,
  ) {
    const { save, mcpServers, ...plain } = request;
    this.#save = save;
    this.#onProblem = (text) => onProblem(request.workspace, text);
    this.#child = fork(program, {
      env: { ...options.env, COSESSION_STATE_DIR: undefined },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const isOpen = new Promise<void>((resolve) => {
      this.#child.on('message', (message: FromChild) => {
        if (message.type === 'opened') resolve();
        this.#onMessage(message);
      });
    });
    const hasEnded = new Promise<never>((_resolve, reject) => {
      this.#child.once('exit', (code, signal) => reject(new Error(this.#onExit(signal ?? `code ${code}`))));
    });
    hasEnded.catch(() => {});
    this.opened = Promise.race([isOpen, hasEnded]);
    this.#send({ type: 'open', options, request: { ...plain, mcpServers: mcpServers?.() ?? [] } });
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  start: ProcessEngine['start'] = (request) => {
    this.#isRunning = true;
    this.#send({ type: 'start', request });
  };

  resume: NonNullable<ProcessEngine['resume']> = (calls) => {
    this.#isRunning = true;
    this.#send({ type: 'resume', calls });
  };

  answer: ProcessEngine['answer'] = (callId, answer) => this.#send({ type: 'answer', callId, answer });
  cancel: ProcessEngine['cancel'] = () => this.#send({ type: 'cancel' });
  commands: ProcessEngine['commands'] = () => this.#commands;
  /** What it may not run it says when it is asked to. */
  refusalOfCommand: ProcessEngine['refusalOfCommand'] = () => undefined;

  tools(): Promise<TaskTools> {
    return new Promise((resolve, reject) => {
      this.#onTools = ({ tools, error }) => (tools ? resolve(tools) : reject(new Error(error)));
      this.#send({ type: 'tools' });
    });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.hasEnded) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    setTimeout(() => this.#child.kill('SIGKILL'), 5000).unref();
    await ended;
  }

  #send(message: ToChild): void {
    if (this.#child.connected) this.#child.send(message);
  }

  #onMessage(message: FromChild): void {
    switch (message.type) {
      case 'opened':
        this.#commands = message.commands;
        return undefined;
      case 'report':
        this.#commands = message.commands ?? this.#commands;
        if (message.event.type === 'ended') this.#isRunning = false;
        return this.#host?.report(message.event);
      case 'save':
        return this.#tellWhen(this.#save(message.checkpoint), message.number);
      case 'flush':
        return this.#tellWhen(this.#host?.stored() ?? Promise.resolve(), message.number);
      case 'tools':
        return this.#onTools(message);
      case 'problem':
        return this.#onProblem(message.text);
    }
  }

  #tellWhen(saved: Promise<void>, number: number): void {
    saved.then(
      () => this.#send({ type: 'saved', number }),
      (error: unknown) => this.#send({ type: 'saved', number, error: String(error) }),
    );
  }

  /** Its turn is over; the next one gets a new process, which goes on from the last checkpoint. */
  #onExit(how: string): string {
    const why = `the process of this task ended unexpectedly (${how})`;
    if (this.#isDisposed) return why;
    if (this.#isRunning) this.#host?.report({ type: 'ended', state: 'failed', error: why });
    return why;
  }
}
