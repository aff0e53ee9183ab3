import type { Artifact, ArtifactPart, TurnEnd } from '../../src/domain/events.js';
import type { Command } from '../../src/domain/command.js';
import type { Answer, WaitingCall } from '../../src/domain/tool-call.js';
import type { EngineEvent, EngineHost, TurnRequest } from '../../src/engine/engine.js';
import type { TaskEngine } from '../../src/engine/task-engine.js';
import { waitingEdit, waitingShell } from './manual-engine.js';

export type ConformanceOptions = {
  /** How long a conformance kit waits for a stream; `test-resubscribe-message-id` works twice as long. */
  readonly streamingTimeoutMs: number;
  /** Kits for v0.3 want any other message to work for a while and then to wait for input. */
  readonly isLegacyKit: boolean;
};

/**
 * An agent without a model: conformance kits steer it by the beginning of `messageId`, our own tests by the text.
 * "count 9 then tool then count 9" waits for the answer in its middle: the client decides when the turn goes on, not the clock.
 */
export class ConformanceEngine implements TaskEngine {
  readonly #options: ConformanceOptions;
  readonly #waiting = new Map<string, WaitingCall>();
  #host: EngineHost | undefined;
  #timer: NodeJS.Timeout | undefined;
  #steps: string[] = [];
  isReady = true;

  constructor(options: ConformanceOptions) {
    this.#options = options;
  }

  connect(host: EngineHost): void {
    this.#host = host;
  }

  start({ messageId = '', text }: TurnRequest): void {
    this.isReady = false;
    const script = scripts.find(([prefix]) => messageId.startsWith(prefix))?.[1];
    if (script) this.#play(script);
    else if (messageId.startsWith('test-resubscribe-message-id'))
      this.#later(2 * this.#options.streamingTimeoutMs + 200, () => this.#end('completed'));
    else if (this.#options.isLegacyKit) this.#later(600, () => this.#end('input-required', `You said: ${text}`));
    else {
      this.#steps = text.split(' then ');
      this.#step(`You said: ${text}`);
    }
  }

  answer(callId: string, { optionId }: Answer): void {
    const call = this.#waiting.get(callId);
    if (!call) return;
    this.#waiting.delete(callId);
    const { id, name, args } = call;
    if (optionId !== 'cancel')
      this.#report({
        type: 'tool',
        call: { id, name, args, status: 'succeeded', output: { kind: 'text', text: 'ok' } },
      });
    if (this.#waiting.size > 0) return;
    if (this.#steps.length > 0) return this.#step('The tools have run.');
    this.#report({ type: 'text', text: 'The tools have run.' });
    this.#end('completed');
  }

  cancel(): void {
    this.#end('canceled');
  }

  commands(): readonly Command[] {
    return [{ name: 'stats', description: 'Usage', arguments: [], subCommands: [] }];
  }

  refusalOfCommand(line: string): string | undefined {
    return line.split(' ')[0] === 'stats' ? undefined : 'there is no such command';
  }

  async tools() {
    return { tools: [], mcpServers: [] };
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#timer);
  }

  #step(answer: string): void {
    const [verb = '', number = '0'] = this.#steps.shift()?.split(' ') ?? [];
    if (verb === 'explain') this.#report({ type: 'text', text: 'I will write it. ' });
    if (verb === 'tool' || verb === 'explain') this.#ask(waitingEdit());
    else if (verb === 'tools') this.#ask(waitingShell('call-1'), waitingShell('call-2'));
    else if (verb === 'hold') this.#report({ type: 'text', text: 'holding' });
    else if (verb === 'pause') this.#end('input-required', 'What now?');
    else if (verb === 'fail') this.#end('failed', 'it was asked to fail');
    else this.#count(Number(number) || 0, answer);
  }

  #ask(...calls: WaitingCall[]): void {
    for (const call of calls) {
      this.#waiting.set(call.id, call);
      this.#report({ type: 'tool', call });
    }
  }

  /** Says as many numbers as asked for, one per tick, then the answer if no step is left. */
  #count(left: number, answer: string): void {
    if (left > 0) {
      this.#report({ type: 'text', text: `${left} ` });
      return this.#later(0, () => this.#count(left - 1, answer));
    }
    if (this.#steps.length > 0) return this.#step(answer);
    this.#report({ type: 'thought', subject: 'Greeting', description: 'say it again' }, { type: 'text', text: answer });
    return this.#end('completed');
  }

  #play({ events = [], end, note }: Script): void {
    this.#report(...events);
    this.#end(end, note);
  }

  #later(ms: number, run: () => void): void {
    this.#timer = setTimeout(run, ms);
    this.#timer.unref();
  }

  #end(state: TurnEnd | 'input-required', note?: string): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.isReady = true;
    this.#report({ type: 'ended', state, ...(note === undefined ? {} : { error: note }) });
  }

  #report(...events: EngineEvent[]): void {
    for (const event of events) this.#host?.report(event);
  }
}

type Script = {
  readonly events?: readonly EngineEvent[];
  readonly end: TurnEnd | 'input-required';
  readonly note?: string;
};

const link = 'https://example.com/output.txt';
const file = { kind: 'file', name: 'output.txt', mediaType: 'text/plain', base64: 'dGNr' } as const;

/** By the beginning of `messageId`; the first that fits counts. */
const scripts: readonly (readonly [string, Script])[] = [
  ['tck-message-response', { events: [{ type: 'reply', text: 'Direct message response' }], end: 'completed' }],
  ['tck-reject-task', { end: 'rejected', note: 'rejected' }],
  ['tck-complete-task', { end: 'completed', note: 'Hello from TCK' }],
  ['tck-input-required', { end: 'input-required' }],
  ['tck-artifact-file-url', made({ kind: 'link', name: 'output.txt', mediaType: 'text/plain', url: link })],
  ['tck-artifact-file', made(file)],
  ['tck-artifact-text', made({ kind: 'text', text: 'Generated text content' })],
  ['tck-artifact-data', made({ kind: 'data', data: { key: 'value', count: 42 } })],
  ['tck-stream-artifact-chunked', chunked()],
  ['tck-stream-artifact-file', made(file)],
  ['tck-stream-artifact-text', made({ kind: 'text', text: 'Streamed text content' })],
  ['tck-stream-ordering-001', made({ kind: 'text', text: 'Ordered output' })],
  ['tck-stream-001', made({ kind: 'text', text: 'Stream hello from TCK' })],
  ['tck-stream-002', { end: 'completed' }],
  ['tck-stream-003', made({ kind: 'text', text: 'Stream task lifecycle' })],
];

function artifactOf(part: ArtifactPart): Artifact {
  return { id: 'output', name: 'output', parts: [part] };
}

function made(part: ArtifactPart): Script {
  return { events: [{ type: 'artifact', artifact: artifactOf(part) }], end: 'completed' };
}

function chunked(): Script {
  const first = artifactOf({ kind: 'text', text: 'chunk-1 ' });
  const second = artifactOf({ kind: 'text', text: 'chunk-2' });
  return {
    events: [
      { type: 'artifact', artifact: first, lastChunk: false },
      { type: 'artifact', artifact: second, append: true, lastChunk: true },
    ],
    end: 'completed',
  };
}
