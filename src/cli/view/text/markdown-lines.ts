import { drawCode } from './code.js';
import { drawInline } from './inline.js';
import type { Style } from './style.js';
import { wrap } from './wrap.js';

/** Above this, the beginning of a line is drawn before its end has come, so that no line is kept without a limit. */
const maxLineLength = 20_000;

/**
 * Draws Markdown for a terminal as it arrives. It works line by line: a line is drawn when it is complete, and what was drawn
 * never changes.
 */
export class MarkdownLines {
  readonly #style: Style;
  readonly #width: () => number;
  #incomplete = '';
  /** The sign that ends the open code block. */
  #fence: string | undefined;

  constructor(style: Style, width: () => number) {
    this.#style = style;
    this.#width = width;
  }

  /** The lines that the text completes. */
  push(text: string): string[] {
    const lines = (this.#incomplete + text).split('\n');
    const last = lines.pop() ?? '';
    const isTooLong = last.length > maxLineLength;
    this.#incomplete = isTooLong ? '' : last;
    return [...lines, ...(isTooLong ? [last] : [])].flatMap((line) => this.#draw(line));
  }

  /** The text is over: what is left of it. */
  end(): string[] {
    const last = this.#incomplete;
    this.#incomplete = '';
    const lines = last === '' ? [] : this.#draw(last);
    this.#fence = undefined;
    return lines;
  }

  #draw(line: string): string[] {
    const { dim } = this.#style;
    const [, fence, language = ''] = /^\s*(```+|~~~+)\s*(\S*)/.exec(line) ?? [];
    if (this.#fence === undefined && fence !== undefined) {
      this.#fence = fence;
      return language === '' ? [] : [dim(`  ${language}`)];
    }
    if (this.#fence === undefined) return this.#drawText(line);
    if (fence !== undefined && fence.startsWith(this.#fence) && language === '') {
      this.#fence = undefined;
      return [];
    }
    return wrap(`  ${drawCode(line, this.#style)}`, this.#width(), '    ');
  }

  #drawText(line: string): string[] {
    const { bold, cyan, dim } = this.#style;
    const inline = (text: string): string => drawInline(text, this.#style);
    const [, title] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (title !== undefined) return wrap(bold(cyan(inline(title))), this.#width());
    if (/^\s*(?:-\s*){3,}$|^\s*(?:\*\s*){3,}$|^\s*(?:_\s*){3,}$/.test(line))
      return [dim('─'.repeat(Math.min(40, this.#width())))];
    const [, quoted] = /^\s*>\s?(.*)$/.exec(line) ?? [];
    if (quoted !== undefined) return wrap(`${dim('│')} ${inline(quoted)}`, this.#width(), `${dim('│')} `);
    const [, space = '', mark, item = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? [];
    if (mark === undefined) return wrap(inline(line), this.#width());
    const bullet = /\d/.test(mark) ? mark : '•';
    return wrap(`${space}${bullet} ${inline(item)}`, this.#width(), `${space}${' '.repeat(bullet.length + 1)}`);
  }
}
