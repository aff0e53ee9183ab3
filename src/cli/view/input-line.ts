import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { Io } from './io.js';

export type InputLineOptions = {
  readonly io: Io;
  readonly onLine: (line: string) => void;
  /** Called on Ctrl-D, at the end of piped input, and on Ctrl-C unless `onInterrupt` is given. */
  readonly onEnd: () => void;
  readonly onInterrupt?: () => void;
};

/**
 * The input line, below the printed output. An incomplete line of output is printed immediately while
 * nothing is typed; while someone types, it waits until the line is complete.
 */
export class InputLine {
  readonly #io: Io;
  readonly #lines: Interface;
  readonly #isTerminal: boolean;
  #held = '';
  #isShown = false;
  #isMidLine = false;
  /** We ended a line that the writer believes is still open. */
  #wasBroken = false;
  #isOver = false;

  constructor({ io, onLine, onEnd, onInterrupt = () => this.close() }: InputLineOptions) {
    this.#io = io;
    this.#isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
    this.#lines = createInterface({
      input: io.stdin,
      ...(this.#isTerminal ? { output: io.stdout } : {}),
      terminal: this.#isTerminal,
      prompt: '> ',
    });
    // Our listener runs first: typed text must not be written into the middle of a line.
    if (this.#isTerminal) io.stdin.prependListener('keypress', () => this.#breakLine());
    this.#lines.on('line', (line) => {
      this.#isShown = false;
      this.write('');
      onLine(line);
    });
    this.#lines.on('SIGINT', onInterrupt);
    this.#lines.once('close', () => {
      this.#isOver = true;
      onEnd();
    });
  }

  write(text: string): void {
    if (!this.#isTerminal) return void this.#io.stdout.write(text);
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
    this.#lines.setPrompt(prompt);
    if (this.#isShown) this.#show();
  }

  /** Clears a number that was typed for a question that has changed since. */
  dropAnswer(): void {
    if (this.#isTerminal && /^\s*\d+\s*$/.test(this.#lines.line)) this.#lines.write(null, { ctrl: true, name: 'u' });
  }

  /** Clears the input line. False if it was empty. */
  clear(): boolean {
    if (!this.#isTyping) return false;
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
    return true;
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
