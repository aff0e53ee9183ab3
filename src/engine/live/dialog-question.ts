import { allowOnceOption, type Approval, cancelOption, type ToolCall } from '../../domain/tool-call.js';
import type { EngineHost } from '../engine.js';

/** How one kind of CLI dialog is shown to clients and answered. */
export type DialogKind<Asked> = {
  /** The name of the tool call that represents it. */
  readonly name: string;
  approvalOf(asked: Asked): Approval;
  /** Answers the dialog as if somebody had clicked. */
  answer(asked: Asked, optionId: string): void;
  /** Makes the dialog's own buttons call `mayAnswer` first. */
  guardAnswer(asked: Asked, mayAnswer: (optionId: string) => boolean): void;
};

/**
 * A question that the CLI asks outside its message bus. Clients see it as a tool call. The dialog in the terminal must
 * win at the hub before its answer counts, so there is exactly one winner here too.
 */
export class DialogQuestion<Asked extends object> {
  readonly #kind: DialogKind<Asked>;
  readonly #host: () => EngineHost | undefined;
  #open: { readonly id: string; readonly asked: Asked; answer(optionId: string): void } | undefined;
  #count = 0;

  constructor(kind: DialogKind<Asked>, host: () => EngineHost | undefined) {
    this.#kind = kind;
    this.#host = host;
  }

  /** Called on every render with the open question, if there is one. */
  observe(asked: Asked | undefined): void {
    if (asked === this.#open?.asked) return;
    if (this.#open)
      this.#report({ ...this.#base(this.#open.id), status: 'succeeded', output: { kind: 'text', text: 'answered' } });
    this.#open = asked && this.#ask(asked);
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Answers the question if the call is this one, and returns whether it was. */
  answers(callId: string, optionId: string): boolean {
    if (this.#open?.id !== callId) return false;
    this.#open.answer(optionId);
    return true;
  }

  #ask(asked: Asked) {
    const id = `${this.#kind.name}-${++this.#count}`;
    let isFromClient = false;
    this.#kind.guardAnswer(asked, (optionId) => isFromClient || this.#host()?.tryAnswer(id, optionId) !== false);
    this.#report({ ...this.#base(id), status: 'waiting', approval: this.#kind.approvalOf(asked) });
    const answer = (optionId: string): void => {
      isFromClient = true;
      this.#kind.answer(asked, optionId);
    };
    return { id, asked, answer };
  }

  #base(id: string) {
    return { id, name: this.#kind.name, args: {} };
  }

  #report(call: ToolCall): void {
    this.#host()?.report({ type: 'tool', call });
  }
}

export const yesOrNoQuestion = (description: string): Approval => ({
  options: [
    { id: allowOnceOption, name: 'Yes' },
    { id: cancelOption, name: 'No' },
  ],
  details: { kind: 'generic', description },
});
