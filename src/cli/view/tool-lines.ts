import { answerWords } from '../../domain/tool-call.js';
import type { OpenQuestion, WireOption, WireToolCall } from '../../client/wire-tool-call.js';
import { RecentMap } from '../../util/recent-map.js';
import { sanitize, sanitizeLine } from '../../util/text/sanitize.js';
import { unreachable } from '../../util/unreachable.js';
import { completeLines, freshLines, remainingLines } from './text/live-lines.js';
import { originName } from './origin-name.js';
import type { Style } from './text/style.js';

type Seen = { readonly status: WireToolCall['status']; readonly live: string; readonly isAnswered: boolean };

/** Shows tool calls as lines: a mark when the status changes, who answered, and the last lines of output. */
export class ToolLines {
  readonly #seen = new RecentMap<string, Seen>(500);
  /** The options of each question, by call id. */
  readonly #options = new RecentMap<string, readonly WireOption[]>(100);
  readonly #style: Style;

  constructor(style: Style) {
    this.#style = style;
  }

  /** The call asks, perhaps again: its next answer must be shown. */
  reopen(call: OpenQuestion): void {
    this.#seen.delete(call.tool_call_id);
    this.#options.set(call.tool_call_id, call.confirmation_request.options);
  }

  of(call: WireToolCall): string[] {
    const before = this.#seen.get(call.tool_call_id);
    const live = call.status === 'EXECUTING' ? completeLines(sanitize(call.live_content ?? '')) : (before?.live ?? '');
    const { resolvedBy } = call.metadata;
    const seen = { status: call.status, live, isAnswered: resolvedBy !== undefined };
    this.#seen.set(call.tool_call_id, seen);
    const answer = resolvedBy && !before?.isAnswered ? [this.#answer(call, originName(resolvedBy))] : [];
    const status = call.status === before?.status ? [] : this.#status(call, before?.live ?? '');
    const output = freshLines(before?.live ?? '', live).map((line) => this.#style.dim(`  │ ${line}`));
    return [...answer, ...status, ...output];
  }

  #answer({ tool_call_id, metadata: { selected_option_id: id = '' } }: WireToolCall, who: string): string {
    const name = this.#options.get(tool_call_id)?.find((option) => option.id === id)?.name;
    // The options of a question that was answered earlier are not known any more.
    const words = name === undefined ? answerWords[id] : undefined;
    return this.#style.yellow(`  ${words ?? `answered "${sanitizeLine(name ?? id, 60)}"`} by ${who}`);
  }

  #status(call: WireToolCall, live: string): string[] {
    const { dim, red, green, cyan, bold } = this.#style;
    const name = sanitizeLine(call.tool_name, 60);
    const description = sanitizeLine(call.description ?? '', 200);
    // Some descriptions begin with the name.
    const rest = description.startsWith(name) ? description.slice(name.length) : ` ${description}`;
    const title = `${bold(name)}${rest}`.trimEnd();
    switch (call.status) {
      case 'PENDING':
        return [];
      case 'EXECUTING':
        return [`${cyan('▶')} ${title}`];
      case 'SUCCEEDED': {
        const text = 'text' in call.output ? sanitize(call.output.text) : '';
        return [`${green('✓')} ${title}`, ...remainingLines(live, text).map((line) => dim(`  │ ${line}`))];
      }
      case 'FAILED':
        return [`${red('✗')} ${title}: ${red(sanitizeLine(call.error.message, 300))}`];
      case 'CANCELLED': {
        const { reason } = call.metadata;
        return [`${dim('⊘')} ${title} cancelled${reason === undefined ? '' : `: ${sanitizeLine(reason, 200)}`}`];
      }
      default:
        return unreachable(call);
    }
  }
}
