import type { EngineEvent } from '../engine.js';

type Report = (event: EngineEvent) => void;

/**
 * Joins text that arrives in one tick. The first piece is reported at once, the others together at the end of the tick
 * or before any other event. A model that is faster than its readers makes fewer events this way, and nobody waits
 * longer: whatever is written in a tick is sent at its end.
 */
export function gatherText(report: Report): Report {
  let waiting = '';
  let isGathering = false;
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '') report({ type: 'text', text });
  };
  return (event) => {
    if (event.type !== 'text') {
      flush();
      report(event);
    } else if (isGathering) waiting += event.text;
    else {
      report(event);
      isGathering = true;
      setImmediate(() => {
        isGathering = false;
        flush();
      });
    }
  };
}
