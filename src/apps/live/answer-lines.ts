import type { Origin, SessionEvent } from '../../domain/events.js';
import { answerWords, type ApprovalOption } from '../../domain/tool-call.js';
import { RecentMap } from '../../util/recent-map.js';
import { sanitizeLine } from '../../util/text/sanitize.js';

/** Says in the terminal what clients decided there: who answered a question and how, and who stopped a turn. */
export class AnswerLines {
  readonly #show: (line: string) => void;
  /** The options of each question, by call id. */
  readonly #options = new RecentMap<string, readonly ApprovalOption[]>(100);
  /** When each question was answered, by call id. The same call may ask again. */
  readonly #answeredAt = new RecentMap<string, string>(500);

  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'cancel' && event.by.surface !== 'tui') this.#show(`canceled by ${nameOf(event.by)}`);
    if (event.type !== 'tool') return;
    const { call } = event;
    if (call.status === 'waiting') this.#options.set(call.id, call.approval.options);
    const { resolution } = call;
    if (!resolution || resolution.by.surface === 'tui' || this.#answeredAt.get(call.id) === resolution.at) return;
    this.#answeredAt.set(call.id, resolution.at);
    const option = this.#options.get(call.id)?.find(({ id }) => id === resolution.optionId);
    const how =
      answerWords[resolution.optionId] ?? `answered "${sanitizeLine(option?.name ?? resolution.optionId, 60)}"`;
    this.#show(`${how} by ${nameOf(resolution.by)}`);
  }
}

function nameOf({ client, surface }: Origin): string {
  return sanitizeLine(client ?? surface, 40);
}
