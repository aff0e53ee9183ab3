import {
  isLogged,
  type LoggedEvent,
  type StateChangeEvent,
  type UserMessageEvent,
  type WireEvent,
} from '../../client/wire-event.js';
import { isOpenQuestion, type OpenQuestion } from '../../client/wire-tool-call.js';
import { sanitize, sanitizeLine } from '../../util/sanitize.js';
import { originName } from './origin-name.js';
import { questionLines } from './question-lines.js';
import type { Style } from './style.js';
import { ToolLines } from './tool-lines.js';

export type SessionViewOptions = { readonly write: (text: string) => void; readonly style: Style };

/** Shows a live session to people. Only appends output. Every string from the wire is sanitized before it is written. */
export class TerminalSession {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #tools: ToolLines;
  #isMidLine = false;

  constructor({ write, style }: SessionViewOptions) {
    this.#write = write;
    this.#style = style;
    this.#tools = new ToolLines(style);
  }

  show(event: WireEvent): void {
    const { dim, yellow } = this.#style;
    if (event.kind === 'SNAPSHOT') {
      // No prompt has been sent yet.
      const state = event.state === 'submitted' ? 'ready' : sanitizeLine(event.state, 20);
      this.lines([dim(`· ${state} · ${sanitizeLine(event.model, 60) || 'no model yet'}`)]);
      for (const call of event.pending) this.question(call);
    } else if (event.kind === 'RESYNC_REQUIRED') {
      this.lines([yellow('· disconnected for too long: some events are missing here')]);
    } else if (isLogged(event)) this.#showLogged(event);
  }

  question(call: OpenQuestion): void {
    this.#tools.reopen(call);
    this.lines(questionLines(call, this.#style));
  }

  /** Prints a message of Cosession itself. */
  note(text: string): void {
    this.lines([this.#style.dim(`· ${text}`)]);
  }

  problem(text: string): void {
    this.lines([this.#style.red(`! ${sanitizeLine(text, 500)}`)]);
  }

  lines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#write(`${this.#isMidLine ? '\n' : ''}${lines.join('\n')}\n`);
    this.#isMidLine = false;
  }

  #showLogged(event: LoggedEvent): void {
    const { dim, red, yellow } = this.#style;
    switch (event.kind) {
      case 'USER_MESSAGE':
        return this.#prompt(event);
      case 'TEXT_CONTENT':
        return this.#stream(event.content.text);
      case 'THOUGHT': {
        const { subject, description } = event.content;
        return this.lines([dim(`∴ ${sanitizeLine(subject, 100)}: ${indent(sanitize(description))}`)]);
      }
      case 'TOOL_CALL_UPDATE':
        return isOpenQuestion(event) ? this.question(event) : this.lines(this.#tools.of(event));
      case 'STATE_CHANGE':
        return this.#state(event);
      case 'CONSOLE_LOG': {
        if (event.level === 'debug') return undefined;
        const paint = event.level === 'error' ? red : event.level === 'warn' ? yellow : dim;
        return this.lines([paint(`· ${indent(sanitize(event.content.text))}`)]);
      }
      case 'ERROR':
        return this.problem(event.message);
      case 'CITATION':
        return this.lines([dim(`· ${indent(sanitize(event.content.text))}`)]);
      case 'SETTINGS': {
        const mode = event.approvalMode === undefined ? '' : ` · ${sanitizeLine(event.approvalMode, 40)}`;
        return this.lines([dim(`· ${sanitizeLine(event.model, 60)}${mode}`)]);
      }
      case 'ARTIFACT':
        return this.lines([dim(`· made ${sanitizeLine(event.artifact.name, 100)}`)]);
      // Figures for programs, and event kinds of newer servers.
      case 'USAGE':
      default:
        return undefined;
    }
  }

  #prompt({ origin, content, queued }: UserMessageEvent): void {
    const place = queued === undefined ? '' : this.#style.dim(` (waits, place ${sanitizeLine(String(queued), 10)})`);
    this.lines([`${this.#style.cyan(`${originName(origin)}>`)} ${indent(sanitize(content.text))}${place}`]);
  }

  #state({ state, final, error }: StateChangeEvent): void {
    if (!final) return;
    const { dim, red } = this.#style;
    const why = error === undefined ? '' : `: ${sanitizeLine(error, 500)}`;
    this.lines([(state === 'completed' ? dim : red)(`— ${sanitizeLine(state, 20)}${why}`)]);
  }

  /** The reply is indented so that none of its lines looks like one of ours. */
  #stream(text: string): void {
    const clean = sanitize(text);
    if (clean === '') return;
    const ends = clean.endsWith('\n');
    const body = indent(ends ? clean.slice(0, -1) : clean);
    this.#write(`${this.#isMidLine ? '' : '  '}${body}${ends ? '\n' : ''}`);
    this.#isMidLine = !ends;
  }
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
