import { clearScreenDown, createInterface, cursorTo, type Interface, type Key, moveCursor } from 'node:readline';
import { callbackify } from 'node:util';
import type { Io } from '../io.js';
import type { Completion } from './completer.js';
import { KeyStream, lineBreakSign, pasteMarks } from './key-stream.js';

export type InputLineOptions = {
  readonly io: Io;
  /** The text may have several lines. */
  readonly onText: (text: string) => void;
  /** Called on Ctrl-D, at the end of piped input, and on Ctrl-C unless `onInterrupt` is given. */
  readonly onEnd: () => void;
  readonly onInterrupt?: () => void;
  /** Called on Esc while the line is empty. */
  readonly onEscape?: () => void;
  /** Called on Ctrl-G, or Ctrl-X and Ctrl-E: the text is to be changed in an editor. */
  readonly onEdit?: (text: string) => void;
  readonly complete?: (line: string) => Promise<Completion>;
  /** Whether the next line belongs into the history of lines. */
  readonly isRemembered?: () => boolean;
};

/** While another program has the terminal, at most this much output is kept. */
const maxHeld = 1_000_000;

/**
 * The input line, below the printed output. An incomplete line of output is printed immediately while
 * nothing is typed; while someone types, it waits until the line is complete.
 */
export class InputLine {
  readonly #io: Io;
  readonly #lines: Interface;
  readonly #keys: KeyStream | undefined;
  #prompt = '> ';
  /** The lines before the current one, each ended with a backslash. */
  #before = '';
  #held = '';
  #isShown = false;
  #isMidLine = false;
  /** We ended a line that the writer believes is still open. */
  #wasBroken = false;
  #isLent = false;
  #isOver = false;

  constructor(options: InputLineOptions) {
    const { io, onEnd, onInterrupt = () => this.close(), isRemembered = () => true, complete } = options;
    this.#io = io;
    const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
    this.#keys = isTerminal ? new KeyStream(io.stdin) : undefined;
    this.#lines = createInterface({
      input: this.#keys ?? io.stdin,
      ...(isTerminal ? { output: io.stdout } : {}),
      terminal: isTerminal,
      prompt: this.#prompt,
      escapeCodeTimeout: 100,
      removeHistoryDuplicates: true,
      ...(complete && { completer: completerFor(complete) }),
    });
    if (isTerminal) io.stdout.write(pasteMarks.on);
    // Our listener runs first: typed text must not be written into the middle of a line.
    this.#keys?.prependListener('keypress', (_text: string, key: Key) => this.#onKey(key, options));
    this.#lines.on('history', (history) => void (isRemembered() || history.shift()));
    this.#lines.on('line', (line) => this.#onLine(line, options.onText));
    this.#lines.on('SIGINT', onInterrupt);
    this.#lines.once('close', () => {
      this.#isOver = true;
      if (isTerminal) io.stdout.write(pasteMarks.off);
      // The stream would keep the program alive.
      this.#keys?.lend();
      onEnd();
    });
  }

  write(text: string): void {
    if (!this.#keys) return void this.#io.stdout.write(text);
    if (this.#isLent) return void (this.#held = (this.#held + text).slice(-maxHeld));
    const all = this.#held + (this.#wasBroken ? text.replace(/^\n/, '') : text);
    if (text !== '') this.#wasBroken = false;
    const end = this.#isTyping ? all.lastIndexOf('\n') + 1 : all.length;
    this.#held = all.slice(end);
    if (end > 0) {
      this.#hide();
      this.#io.stdout.write(all.slice(0, end));
      this.#isMidLine = all[end - 1] !== '\n';
    }
    if (!this.#isMidLine) this.#show();
  }

  /** Changes the prompt before the line. */
  ask(prompt: string): void {
    this.#prompt = prompt;
    if (this.#before !== '') return;
    this.#lines.setPrompt(prompt);
    if (this.#isShown) this.#show();
  }

  /** Clears an answer that was typed for a question that has changed since. */
  dropAnswer(): void {
    if (this.#keys && /^\s*(?:\d+|[a-z])\s*$/i.test(this.#lines.line)) this.#erase();
  }

  /** Clears what was typed. False if that was nothing. */
  clear(): boolean {
    if (!this.#isTyping && this.#before === '') return false;
    this.#before = '';
    this.#lines.setPrompt(this.#prompt);
    this.#erase();
    if (this.#isShown) this.#show();
    return true;
  }

  /** Replaces what was typed. */
  fill(text: string): void {
    this.clear();
    this.#lines.write(text.trimEnd().replaceAll('\n', lineBreakSign));
  }

  /** Lets another program have the terminal while `run` runs. Output waits. */
  async lend<T>(run: () => Promise<T>): Promise<T> {
    this.#hide();
    this.#isLent = true;
    this.#io.stdout.write(pasteMarks.off);
    const takeBack = this.#keys?.lend();
    try {
      return await run();
    } finally {
      takeBack?.();
      this.#io.stdout.write(pasteMarks.on);
      this.#isLent = false;
      this.write('');
    }
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hide();
    this.#io.stdout.write(this.#held);
    this.#held = '';
    this.#lines.close();
  }

  get #isTyping(): boolean {
    return !this.#isOver && this.#lines.line !== '';
  }

  #onLine(line: string, onText: InputLineOptions['onText']): void {
    this.#isShown = false;
    const isContinued = this.#keys !== undefined && /(?<!\\)(?:\\\\)*\\$/.test(line);
    this.#before += isContinued ? `${line.slice(0, -1)}\n` : line;
    this.#lines.setPrompt(isContinued ? '… ' : this.#prompt);
    this.write('');
    if (isContinued) return;
    const text = this.#before.replaceAll(lineBreakSign, '\n');
    this.#before = '';
    onText(text);
  }

  #onKey({ name, ctrl = false, meta = false }: Key, { onEscape, onEdit }: InputLineOptions): void {
    const isEditKey = ctrl && (name === 'g' || (name === 'e' && this.#wasControlX));
    this.#wasControlX = ctrl && name === 'x';
    if (isEditKey) return onEdit?.(`${this.#before}${this.#lines.line}`.replaceAll(lineBreakSign, '\n'));
    if (name === 'escape' && !ctrl) return void (this.clear() || onEscape?.());
    if (meta) return;
    this.#breakLine();
  }
  #wasControlX = false;

  #erase(): void {
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
  }

  #breakLine(): void {
    if (!this.#isMidLine || this.#isOver) return;
    this.#io.stdout.write('\n');
    this.#isMidLine = false;
    this.#wasBroken = true;
    this.#show();
  }

  #show(): void {
    if (this.#isOver) return;
    // Otherwise readline would move up over the rows of an earlier, longer line, which now hold printed output.
    if (!this.#isShown) Object.assign(this.#lines, { prevRows: 0 });
    this.#lines.prompt(true);
    this.#isShown = true;
  }

  #hide(): void {
    if (!this.#isShown) return;
    const { stdout } = this.#io;
    moveCursor(stdout, 0, -this.#lines.getCursorPos().rows);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    this.#isShown = false;
  }
}

/** readline wants a callback. A completion that fails completes nothing. */
function completerFor(complete: (line: string) => Promise<Completion>) {
  return callbackify(async (line: string): Promise<[string[], string]> => {
    const [hits, typed] = await complete(line).catch((): Completion => [[], line]);
    return [[...hits], typed];
  });
}
