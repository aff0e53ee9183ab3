import { structuredPatch } from 'diff';

/** Unchanged lines shown around a change. */
const context = 3;
/** Two texts with more differences than this are shown as one replaced by the other. */
const maxChanges = 5000;

export type Hunk = {
  /** `@@ -12,3 +12,4 @@`, as in a patch. */
  readonly place: string;
  /** Each begins with its sign. A last line without a line end is followed by a line that says so, as in a patch. */
  readonly lines: readonly string[];
};

/** The changes between two texts, each with a few lines around it. */
export function hunksOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: maxChanges });
  if (!patch) return [replaced(before, after)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    place: placeOf(range(oldStart, oldLines), range(newStart, newLines)),
    lines,
  }));
}

/** The changes between two texts as the text of a patch, without the names of files. */
export function lineDiff(before: string, after: string): string {
  return hunksOf(before, after)
    .flatMap(({ place, lines }) => [place, ...lines])
    .join('\n');
}

function replaced(before: string, after: string): Hunk {
  const [old, now] = [linesOf('-', before), linesOf('+', after)];
  return { place: placeOf(range(1, countOf(old)), range(1, countOf(now))), lines: [...old, ...now] };
}

function linesOf(sign: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const signed = lines.map((line) => `${sign}${line}`);
  return text.endsWith('\n') ? signed : [...signed, '\\ No newline at end of file'];
}

function countOf(lines: readonly string[]): number {
  return lines.filter((line) => !line.startsWith('\\')).length;
}

function placeOf(old: string, now: string): string {
  return `@@ -${old} +${now} @@`;
}

/** A range without lines begins at the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
