/** Unchanged lines shown around the change. */
const context = 3;

/** What changes between two texts, as one hunk of `-` and `+` lines: enough to decide on, without a diff algorithm. */
export function lineDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  const start = countWhile(shorter, (index) => old[index] === now[index]);
  const end = countWhile(shorter - start, (index) => old.at(-1 - index) === now.at(-1 - index));
  return [
    ...old.slice(Math.max(0, start - context), start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - end + context).map((line) => ` ${line}`),
  ].join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function countWhile(limit: number, holds: (index: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count++;
  return count;
}
