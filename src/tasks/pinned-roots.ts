import type { StoredTask } from '../stores/store.js';
import { isInside } from '../util/is-inside.js';

/** A folder that only the servers with this label have. The folder is a real path. */
export type PinnedRoot = { readonly label: string; readonly folder: string };

/** The label of the servers that have this workspace. Undefined if it is in none of the roots: then every server has it. */
export function labelIn(roots: readonly PinnedRoot[], workspace: string): string | undefined {
  return roots.find(({ folder }) => isInside(workspace, folder))?.label;
}

/** The label of the servers that can run the task. Undefined if every server can. */
export function labelOf({ metadata }: StoredTask): string | undefined {
  const label = metadata['workspaceLabel'];
  return typeof label === 'string' ? label : undefined;
}

/** Whether a server with these roots can run the task. */
export function hasWorkspaceOf(roots: readonly Pick<PinnedRoot, 'label'>[], task: StoredTask): boolean {
  const needed = labelOf(task);
  return needed === undefined || roots.some(({ label }) => label === needed);
}
