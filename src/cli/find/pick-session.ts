import { basename, resolve, sep } from 'node:path';
import type { Entry } from '../../discovery/discovery.js';

/** The newest session in this folder or in one above it. `entries` are sorted oldest first. */
export function sessionOfFolder(entries: readonly Entry[], folder: string): Entry | undefined {
  return entries.findLast(({ workspace }) => `${folder}${sep}`.startsWith(withSeparator(workspace)));
}

/**
 * The sessions that a word may name: by port, by the folder they work in (its path or its last name), or by the beginning of
 * their id. A folder names the newest session in it.
 */
export function sessionsNamed(entries: readonly Entry[], word: string, folder: string): readonly Entry[] {
  const path = resolve(folder, word);
  const ofFolder =
    entries.findLast(({ workspace }) => workspace === path) ??
    entries.findLast(({ workspace }) => basename(workspace) === word);
  const ofPort = entries.filter(({ port }) => String(port) === word);
  if (ofPort.length > 0) return ofPort;
  if (ofFolder) return [ofFolder];
  return entries.filter(({ sessionId }) => sessionId.startsWith(word));
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}
