import type { Engine, EngineEvent, EngineHost, TurnRequest } from '../../src/engine/engine.js';
import type { Settable } from '../../src/domain/choices.js';
import type { Answer, WaitingCall } from '../../src/domain/tool-call.js';
import type { Command } from '../../src/domain/command.js';

/** An engine whose every move is made by the test: the only stand-in of the suite, everything around it is real. */
export class ManualEngine implements Engine {
  settings?: Settable;
  isReady = true;
  refusal: string | undefined;
  readonly started: TurnRequest[] = [];
  readonly answered: { callId: string; answer: Answer }[] = [];
  cancels = 0;
  #host: EngineHost | undefined;

  connect(host: EngineHost): void {
    this.#host = host;
  }

  get host(): EngineHost {
    if (!this.#host) throw new Error('not connected');
    return this.#host;
  }

  start(request: TurnRequest): void {
    this.isReady = false;
    this.started.push(request);
  }

  answer(callId: string, answer: Answer): void {
    this.answered.push({ callId, answer });
  }

  cancel(): void {
    this.cancels++;
  }

  commands(): readonly Command[] {
    const model = { name: 'model', description: 'Which model', isRequired: false };
    return [{ name: 'stats', description: 'Usage', arguments: [model], subCommands: [] }];
  }

  refusalOfCommand(line: string): string | undefined {
    return line.split(' ')[0] === 'stats' ? undefined : 'it ends the program';
  }

  report(...events: EngineEvent[]): void {
    for (const event of events) this.host.report(event);
  }

  say(text: string): void {
    this.report({ type: 'text', text });
  }

  end(state: 'completed' | 'failed' | 'canceled' = 'completed', error?: string): void {
    this.isReady = true;
    this.report({ type: 'ended', state, ...(error === undefined ? {} : { error }) });
  }
}

/** A shell call that waits for an answer. */
export function waitingShell(id = 'call-1', correlationId = `question-${id}`): WaitingCall {
  return {
    id,
    name: 'run_shell_command',
    args: { command: 'rm -rf build' },
    correlationId,
    status: 'waiting',
    approval: {
      options: [
        { id: 'proceed_once', name: 'Allow once' },
        { id: 'proceed_always', name: 'Allow for this session' },
        { id: 'cancel', name: 'No, suggest changes (esc)' },
      ],
      details: { kind: 'execute', command: 'rm -rf build' },
    },
  };
}

/** A new file that waits for an answer. */
export function waitingEdit(id = 'edit-1'): WaitingCall {
  const diff = {
    fileName: 'a.txt',
    filePath: '/project/a.txt',
    oldContent: 'old',
    newContent: 'new',
    formatted: '-old\n+new',
  };
  return {
    id,
    name: 'write_file',
    args: { file_path: 'a.txt', content: 'new' },
    correlationId: `question-${id}`,
    status: 'waiting',
    approval: {
      options: [
        { id: 'proceed_once', name: 'Allow once' },
        { id: 'cancel', name: 'No, suggest changes (esc)' },
      ],
      details: { kind: 'edit', diff },
    },
  };
}
