import type { StreamRecord } from '../record.js';
import type { StoreView } from '../stores/store.js';
import type { Witness } from '../witness.js';

/** What a tool that succeeded printed is kept. */
export async function checkArtifacts({ taskId }: Witness, { calls }: StreamRecord, view: StoreView): Promise<string[]> {
  const kept = await view.artifacts(taskId);
  return [...calls]
    .filter(([id, { status }]) => status === 'SUCCEEDED' && !kept.includes(`tool-outputs/${id}.txt`))
    .map(([id]) => `what ${id} printed is not kept`);
}
