import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../../../src/engine/headless/core/scratch.js';
import type { StoreView } from '../stores/store.js';
import type { Witness } from '../witness.js';

/** Of a task whose deletion was accepted nothing is left, in the store or beside it. `stateDir`: the server's. */
export async function checkDeletions(
  deleted: readonly Witness[],
  view: StoreView,
  stateDir: string,
): Promise<string[]> {
  const ids = deleted.map(({ taskId }) => taskId);
  const scratch = join(stateDir, 'scratch');
  return [
    ...(await view.traces(ids)),
    ...ids.filter((id) => existsSync(scratchFolder(scratch, id))).map((id) => `the scratch folder of ${id}`),
  ].map((trace) => `deleted, and still there: ${trace}`);
}
