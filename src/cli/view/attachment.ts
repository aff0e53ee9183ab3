import { CosessionError } from '../../client/transport/cosession-error.js';
import type { ClientSession } from '../../client/session.js';
import type { WireEvent } from '../../client/wire-event.js';
import { isOpenQuestion, type OpenQuestion } from '../../client/wire-tool-call.js';
import { complete } from './input/completer.js';
import { editText } from './input/editor.js';
import { InputLine } from './input/input-line.js';
import type { Io } from './io.js';
import { openView } from './open-view.js';
import type { PastOptions } from './past.js';
import { Asker, questionKey, type Reading } from './question/asker.js';
import type { TerminalSession } from './session-view.js';

export type AttachmentOptions = {
  readonly session: ClientSession;
  readonly io: Io;
  readonly welcome: string;
  /** What to say at the end. Undefined if it has been said. */
  readonly farewell: () => string | undefined;
  /** Called on Ctrl-C when nothing is typed. By default, it ends the attachment. */
  readonly onInterrupt?: () => void;
  /** Where the session works, if that is on this machine. */
  readonly folder?: string;
  /** How much of the past is shown; by default nothing. */
  readonly past?: PastOptions;
};

/** One person at one terminal: shows the session's events and sends what is typed. */
export class Attachment {
  readonly view: TerminalSession;
  readonly #options: AttachmentOptions;
  readonly #session: ClientSession;
  readonly #input: InputLine;
  readonly #asker = new Asker();
  readonly #isTerminal: boolean;
  /** Our own prompts and commands, which are already on the screen: ids of messages, and texts of commands. */
  readonly #own = new Set<string>();
  /** The questions on the screen. */
  #seen = new Set<string>();
  /** Typed input that is still being processed. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: AttachmentOptions) {
    const { session, io, folder, past, onInterrupt = () => this.#input.close() } = options;
    this.#options = options;
    this.#session = session;
    this.#isTerminal = io.stdin.isTTY === true;
    this.#input = new InputLine({
      io,
      onText: (text) => this.#do(() => this.#onText(text.trim())),
      onEnd: () => void this.#onEnd(),
      onEscape: () => void (this.#asker.isOpen && this.#do(() => this.#act(this.#asker.escape()))),
      onEdit: (text) => this.#do(() => this.#edit(text)),
      // As in a shell, the first Ctrl-C clears the input line.
      onInterrupt: () => void (this.#input.clear() || onInterrupt()),
      complete: (line) => complete(line, { commands: () => session.commands(), ...(folder && { folder }) }),
      isRemembered: () => !this.#asker.isOpen,
    });
    this.view = openView(io, (text) => this.#input.write(text), past);
  }

  async run(): Promise<void> {
    this.view.note(this.#options.welcome);
    try {
      for await (const event of this.#session.watch()) {
        if (!this.#isShown(event)) this.view.show(event);
        this.#followQuestions(event);
      }
      const farewell = this.#options.farewell();
      if (farewell !== undefined) this.view.note(farewell);
    } finally {
      this.#session.close();
      this.#input.close();
    }
  }

  #isShown(event: WireEvent): boolean {
    if (event.kind !== 'USER_MESSAGE' || event.queued !== undefined) return false;
    return this.#own.delete(event.messageId ?? event.content.text);
  }

  /** The session may be ahead of the screen. Do not ask people about something they have not seen. */
  #followQuestions(event: WireEvent): void {
    if (event.kind === 'SNAPSHOT') this.#seen = new Set(event.pending.map(questionKey));
    else if (event.kind === 'TOOL_CALL_UPDATE' && isOpenQuestion(event)) this.#seen.add(questionKey(event));
    const open = this.#session.pending.filter((call) => this.#seen.has(questionKey(call)));
    if (open.length === 0 && this.#session.pending.length === 0) this.#seen.clear();
    if (!this.#asker.update(open)) return;
    this.#input.dropAnswer();
    this.#input.ask(this.#asker.prompt);
  }

  #do(act: () => Promise<void>): void {
    const running = act()
      .catch((error: unknown) => {
        if (!(error instanceof CosessionError)) throw error;
        if (error.code !== 'closed') this.view.problem(error.message);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #onText(text: string): Promise<void> {
    if (text === '') return;
    if (text === '/cancel') return this.#session.cancel();
    if (this.#asker.isOpen) return this.#act(this.#asker.read(text));
    if (!text.startsWith('/')) return this.#prompt(text);
    const [name = '', ...rest] = text.slice(1).split(/\s+/);
    const command = [`/${name}`, ...rest].join(' ').trim();
    if (this.#isTerminal) this.#own.add(command);
    const { done } = await this.#session.run([name], rest.join(' ')).catch((error: unknown) => {
      this.#own.delete(command);
      throw error;
    });
    await done;
  }

  async #prompt(text: string): Promise<void> {
    const messageId = crypto.randomUUID();
    if (this.#isTerminal) this.#own.add(messageId);
    const { done } = await this.#session.prompt(text, { messageId });
    await done;
  }

  async #act(reading: Reading): Promise<void> {
    this.#input.ask(this.#asker.prompt);
    switch (reading.type) {
      case 'more':
        return undefined;
      case 'unclear':
        return this.view.problem(reading.hint);
      case 'answer':
        return this.#session.approve(reading.call.tool_call_id, reading.optionId, reading.details);
      case 'instead':
        await this.#session.reject(reading.call.tool_call_id);
        return this.#prompt(reading.prompt);
      case 'edit':
        return this.#editFile(reading.call);
    }
  }

  /** The prompt so far goes to the editor and comes back into the input line. */
  async #edit(text: string): Promise<void> {
    const { env } = this.#options.io;
    const edited = await this.#input.lend(() => editText(text, 'prompt.md', env));
    if (edited === undefined) this.view.problem('the editor failed; set EDITOR to the one you use');
    else this.#input.fill(edited);
  }

  async #editFile({ tool_call_id: id, confirmation_request: { details } }: OpenQuestion): Promise<void> {
    if (!('file_edit_details' in details)) return;
    const { file_name: name, new_content: proposed } = details.file_edit_details;
    const { io } = this.#options;
    const newContent = await this.#input.lend(() => editText(proposed, name, io.env));
    if (newContent === undefined) return this.view.problem('the editor failed; nothing was answered');
    await this.#session.approve(id, undefined, newContent === proposed ? {} : { newContent });
  }

  /** A person leaves immediately; a script that pipes its prompts in waits until they are answered. */
  async #onEnd(): Promise<void> {
    if (!this.#isTerminal) await Promise.all(this.#running);
    this.#session.close();
  }
}
