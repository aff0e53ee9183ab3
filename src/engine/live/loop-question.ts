import type { ToolCall } from '../../domain/tool-call.js';
import type { CliLoopQuestion } from './cli-types.js';
import type { Terminal } from './terminal.js';

const approval = {
  options: [
    { id: 'disable', name: 'Disable loop detection for this session' },
    { id: 'cancel', name: 'Keep loop detection enabled (esc)' },
  ],
  details: { kind: 'generic', description: 'A potential loop was detected. Go on all the same?' },
} as const;

/** The one question the CLI asks outside its message bus: may a turn that seems to loop go on? */
export class LoopQuestion {
  readonly #terminal: Terminal;
  #open: { readonly id: string; readonly asked: CliLoopQuestion } | undefined;
  #count = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The question as a tool call when it has just been asked, or has just been answered in the terminal. */
  news(): ToolCall | undefined {
    const asked = this.#terminal.loopQuestion;
    if (asked === this.#open?.asked) return undefined;
    const { id } = this.#open ?? {};
    this.#open = asked && { id: `loop-detected-${++this.#count}`, asked };
    if (this.#open) return { ...base(this.#open.id), status: 'waiting', approval };
    return id === undefined ? undefined : { ...base(id), status: 'cancelled' };
  }

  isQuestion(callId: string): boolean {
    return this.#open?.id === callId;
  }

  answer(optionId: string): void {
    this.#open?.asked.onComplete({ userSelection: optionId === 'disable' ? 'disable' : 'keep' });
  }
}

function base(id: string) {
  return { id, name: 'loop_detection', args: {} };
}
