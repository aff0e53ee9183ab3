import { realPath } from '../../engine/headless/workspace.js';
import type { PinnedRoot } from '../../tasks/pinned-roots.js';
import { UsageError } from '../../util/usage-error.js';

/** Reads `--pinned-root label=folder`. */
export function pinnedRootsOf(given: readonly string[]): readonly PinnedRoot[] {
  return given.map((text) => {
    const [, label, folder] = /^([\w.-]{1,64})=(\/.*)$/.exec(text) ?? [];
    if (label === undefined || folder === undefined)
      throw new UsageError(`--pinned-root must be label=/absolute/folder, got "${text}"`);
    return { label, folder: realPath(folder) };
  });
}
