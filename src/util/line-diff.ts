/** Unchanged lines shown around the change. */
const context = 3;

/** The change between two texts as one hunk of `-` and `+` lines: enough for a decision, without a diff algorithm. */
export function lineDiff(before: string, after: string): string {
  return hunkOf(linesOf(before), linesOf(after)).lines.join('\n');
}

export type Hunk = {
  /** How many lines are above it. */
  readonly start: number;
  /** How many lines of the old text it has, and of the new one. */
  readonly oldCount: number;
  readonly newCount: number;
  /** Each begins with its sign. */
  readonly lines: readonly string[];
};

export function hunkOf(old: readonly string[], now: readonly string[]): Hunk {
  const shorter = Math.min(old.length, now.length);
  const same = countWhile(shorter, (index) => old[index] === now[index]);
  const end = countWhile(shorter - same, (index) => old.at(-1 - index) === now.at(-1 - index));
  const start = Math.max(0, same - context);
  const [removed, added] = [old.slice(same, old.length - end), now.slice(same, now.length - end)];
  const above = old.slice(start, same);
  const below = old.slice(old.length - end, old.length - end + context);
  const unchanged = above.length + below.length;
  return {
    start,
    oldCount: unchanged + removed.length,
    newCount: unchanged + added.length,
    lines: [...signed(' ', above), ...signed('-', removed), ...signed('+', added), ...signed(' ', below)],
  };
}

function signed(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${sign}${line}`);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function countWhile(limit: number, holds: (index: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count++;
  return count;
}
