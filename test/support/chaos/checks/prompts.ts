import type { StreamRecord } from '../record.js';
import type { Witness } from '../witness.js';

/** Every prompt that was accepted is one turn. */
export function checkPrompts({ accepted }: Witness, { events }: StreamRecord): string[] {
  const turns = new Map<string, Set<string | undefined>>();
  for (const { messageId, turnId } of events)
    if (messageId !== undefined) turns.set(messageId, (turns.get(messageId) ?? new Set()).add(turnId));
  return [...accepted].flatMap(([id, turnId]) => {
    const found = [...(turns.get(id) ?? [])].join();
    return found === turnId ? [] : [`prompt ${id} was accepted as turn ${turnId}, the store has "${found}"`];
  });
}

/** Every such turn has ended, once. */
export function checkEnded({ accepted }: Witness, { ends }: StreamRecord): string[] {
  return [...accepted].flatMap(([id, turnId]) => {
    const times = ends.filter((end) => end.turnId === turnId).length;
    return times === 1 ? [] : [`the turn of prompt ${id} ended ${times} times`];
  });
}
