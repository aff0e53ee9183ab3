import type { Io } from './io.js';
import type { PastOptions } from './past.js';
import { TerminalSession } from './session-view.js';
import { MarkdownLines } from './text/markdown-lines.js';
import { styleOf } from './text/style.js';

/** What the indent of a reply takes from each line. */
const indentWidth = 2;

/** The view for this terminal, with or without colours. In a pipe or a file, replies stay as they came. */
export function openView({ useColor, stdout }: Io, write: (text: string) => void, past?: PastOptions): TerminalSession {
  const style = styleOf(useColor);
  // Asked each time, because the window may change its size.
  const width = (): number => stdout.columns ?? Infinity;
  const common = { write, style, width, ...(past && { past }) };
  if (!stdout.isTTY) return new TerminalSession(common);
  const markdown = new MarkdownLines(style, () => width() - indentWidth);
  return new TerminalSession({ ...common, markdown });
}
