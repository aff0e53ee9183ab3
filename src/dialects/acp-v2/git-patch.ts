import type { FileDiff } from '../../domain/tool-call.js';
import { hunksOf } from '../../util/text/line-diff.js';

/** A file change in the form that `git apply` reads; undefined if nothing changed. */
export function gitPatch(diff: FileDiff): string | undefined {
  const { filePath, oldContent = '', newContent } = diff;
  if (diff.oldContent === newContent) return undefined;
  const isNew = isNewFile(diff);
  const [before, after] = [fileName('a', filePath), fileName('b', filePath)];
  const head = [`diff --git ${before} ${after}`, ...(isNew ? ['new file mode 100644'] : [])];
  if (isNew && newContent === '') return `${head.join('\n')}\n`;
  const names = [`--- ${isNew ? '/dev/null' : endOfName(before)}`, `+++ ${endOfName(after)}`];
  const hunks = hunksOf(oldContent, newContent).flatMap(({ place, lines }) => [place, ...lines]);
  return `${[...head, ...names, ...hunks].join('\n')}\n`;
}

/** Core reports a new file as an empty one; an existing empty file is rare. */
export function isNewFile({ oldContent = '' }: FileDiff): boolean {
  return oldContent === '';
}

/** Git quotes names as C does; for the characters of a path, JSON does the same. */
function fileName(side: 'a' | 'b', path: string): string {
  const name = `${side}/${path.replace(/^\//, '')}`;
  // oxlint-disable-next-line no-control-regex -- these are what must be quoted
  return /["\\\u0000-\u001f]/.test(name) ? JSON.stringify(name) : name;
}

/** A name with a space ends with a tab; otherwise the rest could be read as a timestamp. */
function endOfName(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}
