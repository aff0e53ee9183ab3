import { type Dialect, endsTurn } from '../dialect.js';
import { onlyNews } from '../shared/only-news.js';
import { toExecute, executeTopicOf } from './to-wire.js';

/** Named events (seed 003). Questions keep the stream open: the seed has no `input-required` state. */
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
