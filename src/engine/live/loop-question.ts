import type { ToolCall } from '../../domain/tool-call.js';
import type { EngineHost } from '../engine.js';
import type { CliLoopQuestion } from './cli-types.js';

const approval = {
  options: [
    { id: 'disable', name: 'Disable loop detection for this session' },
    { id: 'cancel', name: 'Keep loop detection enabled (esc)' },
  ],
  details: { kind: 'generic', description: 'A potential loop was detected. Go on all the same?' },
} as const;

/**
 * The one question the CLI asks outside its message bus: may a turn that seems to loop go on?
 * Clients see it as a tool call; the terminal's dialog has to win at the hub before its answer counts.
 */
export class LoopQuestion {
  readonly #host: () => EngineHost | undefined;
  #open: { readonly id: string; readonly asked: CliLoopQuestion; readonly forTerminal: CliLoopQuestion } | undefined;
  #count = 0;

  constructor(host: () => EngineHost | undefined) {
    this.#host = host;
  }

  /** Called on every render with the question that is open; returns what the terminal's dialog gets in its place. */
  observe(asked: CliLoopQuestion | undefined): CliLoopQuestion | undefined {
    if (asked === this.#open?.asked) return this.#open?.forTerminal;
    if (this.#open)
      this.#report({ ...base(this.#open.id), status: 'succeeded', output: { kind: 'text', text: 'answered' } });
    this.#open = asked && this.#ask(asked);
    return this.#open?.forTerminal;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  isQuestion(callId: string): boolean {
    return this.#open?.id === callId;
  }

  answer(optionId: string): void {
    this.#open?.asked.onComplete({ userSelection: optionId === 'disable' ? 'disable' : 'keep' });
  }

  #ask(asked: CliLoopQuestion) {
    const id = `loop-detected-${++this.#count}`;
    this.#report({ ...base(id), status: 'waiting', approval });
    const onComplete: CliLoopQuestion['onComplete'] = (result) => {
      const optionId = result.userSelection === 'disable' ? 'disable' : 'cancel';
      if (this.#host()?.claimAnswer(id, optionId) !== false) asked.onComplete(result);
    };
    return { id, asked, forTerminal: { onComplete } };
  }

  #report(call: ToolCall): void {
    this.#host()?.report({ type: 'tool', call });
  }
}

function base(id: string) {
  return { id, name: 'loop_detection', args: {} };
}
