import {
  isLogged,
  type LoggedEvent,
  type StateChangeEvent,
  type UserMessageEvent,
  type WireEvent,
} from '../../client/wire-event.js';
import { isOpenQuestion, type OpenQuestion } from '../../client/wire-tool-call.js';
import { sanitize, sanitizeLine } from '../../util/text/sanitize.js';
import { originName } from './origin-name.js';
import { questionLines } from './question/question-lines.js';
import { folded, isWorthShowing, type PastOptions } from './past.js';
import type { MarkdownLines } from './text/markdown-lines.js';
import type { Style } from './text/style.js';
import { wrap } from './text/wrap.js';
import { ToolLines } from './tool-lines.js';

export type SessionViewOptions = {
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Draws replies for a terminal. By default they stay as they came. */
  readonly markdown?: MarkdownLines;
  /** How much of the past is shown; by default nothing. */
  readonly past?: PastOptions;
  /** How long our own lines may be. By default, as long as they are. */
  readonly width?: () => number;
};

/** Shows a live session to people. Only appends output. Every string from the wire is sanitized before it is written. */
export class TerminalSession {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #tools: ToolLines;
  readonly #markdown: MarkdownLines | undefined;
  readonly #width: () => number;
  readonly #pastOptions: PastOptions | undefined;
  #isMidLine = false;

  constructor({ write, style, markdown, past, width = () => Infinity }: SessionViewOptions) {
    this.#write = write;
    this.#style = style;
    this.#markdown = markdown;
    this.#width = width;
    this.#pastOptions = past;
    this.#tools = new ToolLines(style);
  }

  show(event: WireEvent): void {
    const { dim, yellow } = this.#style;
    if (event.kind === 'SNAPSHOT') {
      this.#past(event.history?.events ?? []);
      // No prompt has been sent yet.
      const state = event.state === 'submitted' ? 'ready' : sanitizeLine(event.state, 20);
      const here = event.clients.map(({ name }) => sanitizeLine(name, 40));
      const model = sanitizeLine(event.model, 60) || 'no model yet';
      this.lines([dim(`· ${state} · ${model}${here.length === 0 ? '' : ` · here: ${here.join(', ')}`}`)]);
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
    const fitting = lines.flatMap((line) => wrap(line, this.#width(), '  '));
    const all = [...(this.#markdown?.end() ?? []).map(indented), ...fitting];
    if (all.length === 0) return;
    this.#write(`${this.#isMidLine ? '\n' : ''}${all.join('\n')}\n`);
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

  #past(events: readonly LoggedEvent[]): void {
    const options = this.#pastOptions;
    const shown = events.filter(isWorthShowing);
    if (!options || shown.length === 0) return;
    const isFolded = Number.isFinite(options.linesEach);
    this.note(
      isFolded ? `the last turns (at most ${options.turns}); --all shows everything` : 'the conversation so far',
    );
    for (const event of shown) {
      if (event.kind === 'USER_MESSAGE')
        this.#prompt({ ...event, content: { text: folded(event.content.text.split('\n'), options).join('\n') } });
      else if (event.kind === 'TEXT_CONTENT')
        this.lines(folded(this.#drawn(event.content.text), options).map(indented));
      else this.#showLogged(event);
    }
  }

  /** A whole reply as lines. */
  #drawn(text: string): string[] {
    const clean = sanitize(text).replace(/\n+$/, '');
    return this.#markdown ? [...this.#markdown.push(clean), ...this.#markdown.end()] : clean.split('\n');
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
    if (this.#markdown) {
      const lines = this.#markdown.push(clean).map(indented);
      if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
      return;
    }
    const ends = clean.endsWith('\n');
    const body = indent(ends ? clean.slice(0, -1) : clean);
    this.#write(`${this.#isMidLine ? '' : '  '}${body}${ends ? '\n' : ''}`);
    this.#isMidLine = !ends;
  }
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
