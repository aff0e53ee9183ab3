import { CosessionError } from '../../client/cosession-error.js';
import type { ClientSession } from '../../client/session.js';
import { Asker } from './asker.js';
import { InputLine } from './input-line.js';
import type { Io } from './io.js';
import { TerminalSession } from './session-view.js';
import { styleOf } from './style.js';

export type AttachmentOptions = {
  readonly session: ClientSession;
  readonly io: Io;
  readonly welcome: string;
  /** What to say at the end. Undefined if it has been said. */
  readonly farewell: () => string | undefined;
  /** Called on Ctrl-C. By default, Ctrl-C ends the attachment. */
  readonly onInterrupt?: () => void;
};

/** One person at one terminal: shows the session's events and sends what is typed. */
export class Attachment {
  readonly view: TerminalSession;
  readonly #session: ClientSession;
  readonly #input: InputLine;
  readonly #asker = new Asker();
  readonly #isTerminal: boolean;
  readonly #welcome: string;
  readonly #farewell: AttachmentOptions['farewell'];
  /** Our own prompts, which are already on the screen. */
  readonly #own = new Set<string>();
  /** Typed input that is still being processed. */
  readonly #running = new Set<Promise<unknown>>();

  constructor({ session, io, welcome, farewell, onInterrupt }: AttachmentOptions) {
    this.#session = session;
    this.#welcome = welcome;
    this.#farewell = farewell;
    this.#isTerminal = io.stdin.isTTY === true;
    this.#input = new InputLine({
      io,
      onLine: (line) => this.#onLine(line.trim()),
      onEnd: () => void this.#onEnd(),
      ...(onInterrupt && { onInterrupt }),
    });
    this.view = new TerminalSession({ write: (text) => this.#input.write(text), style: styleOf(io.useColor) });
  }

  async run(): Promise<void> {
    this.view.note(this.#welcome);
    try {
      for await (const event of this.#session.watch()) {
        const isOwn =
          event.kind === 'USER_MESSAGE' && event.queued === undefined && this.#own.delete(event.messageId ?? '');
        if (!isOwn) this.view.show(event);
        this.#followQuestions();
      }
      const farewell = this.#farewell();
      if (farewell !== undefined) this.view.note(farewell);
    } finally {
      this.#session.close();
      this.#input.close();
    }
  }

  /** Clears the input line. False if it was empty. */
  clearLine(): boolean {
    return this.#input.clear();
  }

  #followQuestions(): void {
    if (!this.#asker.update(this.#session.pending)) return;
    this.#input.dropAnswer();
    this.#input.ask(this.#asker.prompt);
  }

  #onLine(line: string): void {
    if (line === '') return;
    const running = this.#act(line)
      .catch((error: unknown) => {
        if (!(error instanceof CosessionError)) throw error;
        if (error.code !== 'closed') this.view.problem(error.message);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #act(line: string): Promise<void> {
    if (line === '/cancel') return this.#session.cancel();
    if (this.#asker.isOpen) return this.#answer(line);
    if (line.startsWith('/')) {
      const [name = '', ...rest] = line.slice(1).split(/\s+/);
      await (
        await this.#session.run([name], rest.join(' '))
      ).done;
      return undefined;
    }
    const messageId = crypto.randomUUID();
    if (this.#isTerminal) this.#own.add(messageId);
    await (
      await this.#session.prompt(line, { messageId })
    ).done;
    return undefined;
  }

  async #answer(line: string): Promise<void> {
    const reading = this.#asker.read(line);
    this.#input.ask(this.#asker.prompt);
    if (reading.type === 'unclear') this.view.problem(reading.hint);
    else if (reading.type === 'answer')
      await this.#session.approve(reading.call.tool_call_id, reading.optionId, reading.details);
  }

  /** A person leaves immediately; a script that pipes its prompts in waits until they are answered. */
  async #onEnd(): Promise<void> {
    if (!this.#isTerminal) await Promise.all(this.#running);
    this.#session.close();
  }
}
