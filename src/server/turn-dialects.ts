import { isTurnEnd, type SessionEvent } from '../domain/events.js';
import { toCoderAgent, topicOf as topicOfCoderAgent } from '../protocols/coder-agent/to-wire.js';
import { toExecute, topicOf as topicOfExecute } from '../protocols/execute/to-wire.js';
import { onlyNews } from '../protocols/only-news.js';
import type { Session } from '../session/session.js';
import { dialectsOf } from './dialect.js';
import type { TurnDialect } from './turn-streams.js';

/** Flat events (seed 001). Approvals keep the stream open. */
export function endpointDialect(session: Session): TurnDialect {
  const { endpoint } = dialectsOf(session);
  return { toEvents: (event) => [{ json: endpoint.toJson(event) }], isLast: endsTurn };
}

/** Named events (seed 003). Approvals keep the stream open: the seed has no state that asks. */
export function executeDialect(): TurnDialect {
  const isNews = onlyNews(topicOfExecute);
  return {
    toEvents: (event) =>
      toExecute(event)
        .filter(isNews)
        .map((wire) => ({ name: wire.type, json: JSON.stringify(wire) })),
    isLast: endsTurn,
  };
}

export type CoderAgentStream = {
  readonly session: Session;
  readonly workspacePath: string;
  /** The stream belongs to an answer, so it starts in the middle of a turn. */
  readonly isAnswer: boolean;
};

/** Kebab-case events (seed 002). The stream ends where somebody is asked; the answer's stream goes on from there. */
export function coderAgentDialect({ session, workspacePath, isAnswer }: CoderAgentStream): TurnDialect {
  const isNews = onlyNews(topicOfCoderAgent);
  // A question that was answered since, and is only told again, ends nothing.
  const isLast = (event: SessionEvent): boolean =>
    endsTurn(event) || (event.type === 'turn' && event.state === 'input-required' && session.state === event.state);
  let isFirst = isAnswer;
  return {
    toEvents(event) {
      const wire = toCoderAgent(event, { workspacePath, isLast: isLast(event) });
      const ids = { taskId: session.id, contextId: session.id };
      // The seed tells first that the task works again, then what it does.
      const opening =
        isFirst && session.state === 'working' ? [{ kind: 'state-change', state: 'working', ...ids } as const] : [];
      isFirst = false;
      return [...opening, ...wire].filter(isNews).map((item) => ({ json: JSON.stringify(item) }));
    },
    isLast,
  };
}

function endsTurn(event: SessionEvent): boolean {
  return event.type === 'turn' && isTurnEnd(event.state);
}
