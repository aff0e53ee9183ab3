import type { LoggedEvent } from '../../../client/wire-event.js';
import { sanitize } from '../../../util/text/sanitize.js';
import type { Io } from '../../view/io.js';
import { jsonLine } from '../../view/json-line.js';
import type { Output } from '../../view/output.js';
import { TerminalSession } from '../../view/session-view.js';
import { styleOf } from '../../view/text/style.js';
import type { Report } from './follow-turn.js';

export type TurnPrinter = {
  /** Text that is not part of the turn. */
  note(text: string): void;
  show(event: LoggedEvent): Promise<void>;
  end(report: Report): void;
};

/** `text`: the reply. `json`: one object at the end. `jsonl`: the events. All of it on stdout, the rest on stderr. */
export type PrintMode = 'text' | 'json' | 'jsonl';

export function turnPrinter(mode: PrintMode, io: Io, output: Output): TurnPrinter {
  const view = new TerminalSession({ write: (text) => io.stderr.write(text), style: styleOf(io.useColor) });
  if (mode === 'jsonl') {
    return {
      note: () => {},
      async show(event) {
        output.write(jsonLine(event));
        await output.ready();
      },
      end: () => {},
    };
  }
  const reply = mode === 'text' ? replyWriter(io, output) : undefined;
  return {
    note: (text) => view.note(text),
    async show(event) {
      if (reply && event.kind === 'TEXT_CONTENT') reply.write(event.content.text);
      else {
        reply?.endLine();
        view.show(event);
      }
      await output.ready();
    },
    end(report) {
      if (reply) reply.endLine();
      else output.write(jsonLine(report));
    },
  };
}

/**
 * Writes the reply unchanged, with every part on separate lines. In a terminal the reply is sanitized and indented: none
 * of its lines can look like one of ours.
 */
function replyWriter({ stdout }: Io, output: Output) {
  let isMidLine = false;
  const dress = (text: string): string => {
    if (!stdout.isTTY) return text;
    const clean = sanitize(text);
    const [body, end] = clean.endsWith('\n') ? [clean.slice(0, -1), '\n'] : [clean, ''];
    return `${isMidLine ? '' : '  '}${body.replaceAll('\n', '\n  ')}${end}`;
  };
  return {
    write(text: string): void {
      if (text === '') return;
      output.write(dress(text));
      isMidLine = !text.endsWith('\n');
    },
    endLine(): void {
      if (isMidLine) output.write('\n');
      isMidLine = false;
    },
  };
}
