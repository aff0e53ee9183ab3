import type { SessionEvent } from '../../../../src/domain/events.js';
import { toEndpoint } from '../../../../src/dialects/endpoint/to-wire.js';
import { StreamRecord } from '../record.js';

/** What the store has, as clients are told it. */
export function logOf(stored: readonly SessionEvent[]): StreamRecord {
  const log = new StreamRecord();
  for (const [index, event] of stored.entries()) log.note(toEndpoint(event), index + 1);
  return log;
}

/** What was told is in the store, word for word under its number, and there is no number without an event. */
export function checkStoredEvents({ events: told }: StreamRecord, { events: stored }: StreamRecord): string[] {
  const gap = stored.findIndex(({ seq }, index) => seq !== index + 1);
  const changed = told.findIndex((event, index) => !isTold(stored[index], event));
  return [
    ...(gap === -1 ? [] : [`the store has event ${stored[gap]?.seq} in the place of event ${gap + 1}`]),
    ...(changed === -1
      ? []
      : [`${JSON.stringify(told[changed])} was told, the store has ${JSON.stringify(stored[changed])}`]),
  ];
}

/** A client may be told more than the event, such as when it was. */
function isTold(
  stored: Readonly<Record<string, unknown>> | undefined,
  told: Readonly<Record<string, unknown>>,
): boolean {
  if (!stored) return false;
  return Object.entries(stored).every(([name, value]) => JSON.stringify(value) === JSON.stringify(told[name]));
}
