import type { EngineEvent } from '../engine.js';

type Report = (event: EngineEvent) => void;

/**
 * Reports what a reply has used together with the next event. One always follows: a tool call, or the end of the turn. On its
 * own it would be written and stored just before a question, which would have to wait for it.
 */
export function holdUsage(report: Report): Report {
  let held: EngineEvent | undefined;
  return (event) => {
    if (held) report(held);
    held = event.type === 'usage' ? event : undefined;
    if (!held) report(event);
  };
}
