import type { SessionEvent, TurnState } from '../../domain/events.js';
import { type Dialect, endsTurn } from '../dialect.js';
import { onlyNews } from '../shared/only-news.js';
import { toCoderAgent, coderAgentTopicOf } from './to-wire.js';

export type CoderAgentStream = {
  readonly session: { readonly id: string; readonly state: TurnState };
  readonly workspacePath: string;
  /** The stream belongs to an answer, so it starts mid-turn. */
  readonly isAnswer: boolean;
};

/** Kebab-case events (seed 002). The stream ends at a question; the stream of the answer continues from there. */
export function coderAgentDialect({ session, workspacePath, isAnswer }: CoderAgentStream): Dialect {
  const isNews = onlyNews(coderAgentTopicOf);
  // A question that is only replayed, because it has been answered since, does not end the stream.
  const isLast = (event: SessionEvent): boolean =>
    endsTurn(event) || (event.type === 'turn' && event.state === 'input-required' && session.state === event.state);
  let isFirst = isAnswer;
  return {
    toEvents(event) {
      const wire = toCoderAgent(event, { workspacePath, isLast: isLast(event) });
      const ids = { taskId: session.id, contextId: session.id };
      // In the seed, the stream first says that the task is working again.
      const opening =
        isFirst && session.state === 'working' ? [{ kind: 'state-change', state: 'working', ...ids } as const] : [];
      isFirst = false;
      return [...opening, ...wire].filter(isNews).map((item) => ({ json: JSON.stringify(item) }));
    },
    isLast,
  };
}
