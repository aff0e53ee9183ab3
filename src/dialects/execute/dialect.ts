import { type Dialect, endsTurn } from '../dialect.js';
import { onlyNews } from '../shared/only-news.js';
import { toExecute, executeTopicOf } from './to-wire.js';

/** Named events (seed 003). Approvals keep the stream open: the seed has no state that asks. */
export function executeDialect(): Dialect {
  const isNews = onlyNews(executeTopicOf);
  return {
    toEvents: (event) =>
      toExecute(event)
        .filter(isNews)
        .map((wire) => ({ name: wire.type, json: JSON.stringify(wire) })),
    isLast: endsTurn,
  };
}
