import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';
import type { Io } from '../io.js';

/** Shown in the input line where the text has a line break. */
export const lineBreakSign = '⏎';

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** Asks the terminal to mark what is pasted, or to stop that. */
export const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

/**
 * The keys of a terminal on their way to readline, which ends a line at every line break. Line breaks that belong to the text,
 * because they were pasted or typed with Ctrl-J or Alt-Enter, become a visible sign.
 */
export class KeyStream extends Transform {
  readonly isTTY = true;
  readonly #terminal: Io['stdin'];
  readonly #decoder = new StringDecoder('utf8');
  #isPasting = false;
  /** The beginning of a mark whose end has not come yet. */
  #incomplete = '';

  constructor(terminal: Io['stdin']) {
    super();
    this.#terminal = terminal;
    terminal.pipe(this);
  }

  /** Called by readline. */
  setRawMode(isRaw: boolean): void {
    this.#terminal.setRawMode?.(isRaw);
  }

  /** Lets another program read the terminal; returns what takes it back. */
  lend(): () => void {
    this.#terminal.unpipe(this);
    this.#terminal.pause();
    this.setRawMode(false);
    return () => {
      this.setRawMode(true);
      this.#terminal.pipe(this);
    };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let text = this.#incomplete + this.#decoder.write(chunk);
    this.#incomplete = '';
    let keys = '';
    while (text !== '') {
      const mark = this.#isPasting ? pasteEnd : pasteStart;
      const at = text.indexOf(mark);
      const end = at < 0 ? text.length - this.#beginningOf(mark, text) : at;
      keys += this.#isPasting ? pasted(text.slice(0, end)) : typed(text.slice(0, end));
      if (at < 0) {
        this.#incomplete = text.slice(end);
        break;
      }
      this.#isPasting = !this.#isPasting;
      text = text.slice(at + mark.length);
    }
    done(null, keys);
  }

  /** How many characters at the end of the text may begin the mark. The Esc key alone does not: it has to get through. */
  #beginningOf(mark: string, text: string): number {
    const shortest = this.#isPasting ? 1 : 2;
    for (let length = mark.length - 1; length >= shortest; length--)
      if (text.endsWith(mark.slice(0, length))) return length;
    return 0;
  }
}

/** Enter is a carriage return, Ctrl-J a newline, Alt-Enter an escape with a carriage return. */
function typed(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the key's own code
  return text.replaceAll(/\u001b[\r\n]|\n/g, lineBreakSign);
}

/** A tab would complete, and other control characters would be taken for keys. */
function pasted(text: string): string {
  return (
    text
      .replaceAll(/\r\n?|\n/g, lineBreakSign)
      .replaceAll('\t', '    ')
      // oxlint-disable-next-line no-control-regex -- these are what must go
      .replaceAll(/[\u0000-\u001f\u007f]/g, '')
  );
}
