import type { Receiver } from '../receiver.js';
import type { StreamRecord } from '../record.js';
import type { Witness } from '../witness.js';

/** The ends of turns that a webhook was registered for and has not heard of. */
export function unheard({ webhooks, record }: Witness, { notices }: Receiver): readonly string[] {
  const heard = new Set(notices.map(({ turnId, state }) => `${turnId} ${state}`));
  return [...webhooks].filter((turnId) => {
    const end = record.of(turnId).find(({ final }) => final === true);
    return end !== undefined && !heard.has(`${turnId} ${end.state}`);
  });
}

/** Nothing was sent to a webhook that is not so: each state that it heard of is in the log. */
export function checkNotices({ events }: StreamRecord, { notices }: Receiver): string[] {
  const states = new Set(events.map(({ turnId, state }) => `${turnId} ${state}`));
  const turns = new Set(events.map(({ turnId }) => turnId));
  return notices
    .filter(({ turnId, state }) => turns.has(turnId) && !states.has(`${turnId} ${state}`))
    .map(({ turnId, state }) => `a webhook was told that turn ${turnId} is ${state}, the log does not say so`);
}
