import { sep } from 'node:path';
import type { Entry } from '../../discovery/discovery.js';

/** The session somebody in this folder means: the only one, or the newest of this workspace. `entries` are oldest first. */
export function pickSession(entries: readonly Entry[], folder: string): Entry | undefined {
  if (entries.length === 1) return entries[0];
  return entries.findLast(({ workspace }) => folder === workspace || folder.startsWith(`${workspace}${sep}`));
}
