import { sep } from 'node:path';
import type { Entry } from '../../discovery/discovery.js';

/** The session to use in this folder: the only one, or the newest in this workspace. `entries` are sorted oldest first. */
export function pickSession(entries: readonly Entry[], folder: string): Entry | undefined {
  if (entries.length === 1) return entries[0];
  return entries.findLast(({ workspace }) => folder === workspace || folder.startsWith(`${workspace}${sep}`));
}
