import type { StreamRecord } from '../record.js';
import { nameOf, type Told } from '../told.js';
import type { Witness } from '../witness.js';

/** A cancel that was accepted is in the log, and no tool begins after it, in this life or a later one. */
export function checkCancels({ canceled }: Witness, log: StreamRecord, runs: readonly string[]): string[] {
  return [...canceled].flatMap((turnId) => aboutCancel(turnId, log.of(turnId), runs));
}

/** The turns end as canceled. */
export function checkCanceledEnds({ canceled }: Witness, log: StreamRecord): string[] {
  return [...canceled].flatMap((turnId) => {
    const end = log.of(turnId).find(({ final }) => final === true)?.state;
    return end === 'canceled' ? [] : [`turn ${turnId} was canceled and ended as ${end}`];
  });
}

function aboutCancel(turnId: string, events: readonly Told[], runs: readonly string[]): string[] {
  const place = events.findIndex((event) => isCancel(event) || event.state === 'canceled');
  if (place === -1) return [`the cancel of turn ${turnId} was accepted and is not in the store`];
  const begun = new Set(events.slice(0, place).filter(isBegun).map(nameOf));
  const late = events.filter((event) => isBegun(event) || runs.includes(nameOf(event))).map(nameOf);
  return [...new Set(late)].filter((id) => !begun.has(id)).map((id) => `${id} began after ${turnId} was canceled`);
}

/** The log has the cancel itself, which clients are told as a line of text. */
function isCancel({ kind, content }: Told): boolean {
  return kind === 'CONSOLE_LOG' && JSON.stringify(content).includes('The turn is being canceled');
}

function isBegun({ kind, status }: Told): boolean {
  return kind === 'TOOL_CALL_UPDATE' && status === 'EXECUTING';
}
