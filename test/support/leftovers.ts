/** Ends something that a test or a test file has begun. */
type End = () => unknown;

const ends: Readonly<Record<'test' | 'file', End[]>> = { test: [], file: [] };

/**
 * Ends something after the current test, or after the last test of the current file. Modules of test support cannot use
 * vitest's hooks for that: files share them, and a hook would belong to the first file alone.
 */
export function endAfter(what: 'test' | 'file', end: End): void {
  ends[what].push(end);
}

export async function endLeftovers(what: 'test' | 'file'): Promise<void> {
  await Promise.all(ends[what].splice(0).map((end) => end()));
}
