import type { FileDiff } from '../../domain/tool-call.js';
import { hunkOf } from '../../util/line-diff.js';

/** A change of a file as `git apply` reads it; undefined when there is none. */
export function gitPatch(diff: FileDiff): string | undefined {
  const { filePath, oldContent = '', newContent } = diff;
  if (diff.oldContent === newContent) return undefined;
  const isNew = isNewFile(diff);
  const [before, after] = [fileName('a', filePath), fileName('b', filePath)];
  const head = [`diff --git ${before} ${after}`, ...(isNew ? ['new file mode 100644'] : [])];
  if (isNew && newContent === '') return `${head.join('\n')}\n`;
  const names = [`--- ${isNew ? '/dev/null' : endOfName(before)}`, `+++ ${endOfName(after)}`];
  const { start, oldCount, newCount, lines } = hunkOf(linesOf(oldContent), linesOf(newContent));
  const place = `@@ -${range(start, oldCount)} +${range(start, newCount)} @@`;
  return `${[...head, ...names, place].join('\n')}\n${lines.map(ended).join('')}`;
}

/** Core gives a file that is not there yet as an empty one; that it was there and empty is rare. */
export function isNewFile({ oldContent = '' }: FileDiff): boolean {
  return oldContent === '';
}

/** With their line ends, for the last line may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
}

function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

/** Git quotes names as C does; JSON does it alike for what can stand in a path. */
function fileName(side: 'a' | 'b', path: string): string {
  const name = `${side}/${path.replace(/^\//, '')}`;
  // oxlint-disable-next-line no-control-regex -- these are what must be quoted
  return /["\\\u0000-\u001f]/.test(name) ? JSON.stringify(name) : name;
}

/** A name with a space is ended by a tab: else a time could follow it. */
function endOfName(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}
