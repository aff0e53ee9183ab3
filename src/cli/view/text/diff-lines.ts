import type { WireFileDiff } from '../../../client/wire-tool-call.js';
import { hunksOf } from '../../../util/text/line-diff.js';
import { reveal } from '../../../util/text/reveal.js';
import type { Style } from './style.js';

/** A proposed change of a file, as lines in colour. It is computed from the texts themselves, so it shows what will be written. */
export function diffLines(diff: WireFileDiff, style: Style): string[] {
  const { old_content: before = '', new_content: after, formatted_diff: formatted } = diff;
  // Of a very large file the server sends only the beginning.
  const isCut = [before, after].some((text) => /\[cut: \d+ characters in all/.test(text));
  if (isCut && formatted !== undefined) return reveal(formatted).split('\n').map(painter(style));
  return hunksOf(before, after).flatMap(({ place, lines }) =>
    [place, ...lines.map((line) => reveal(line))].map(painter(style)),
  );
}

function painter({ red, green, cyan, dim }: Style): (line: string) => string {
  return (line) => {
    if (line.startsWith('+')) return green(line);
    if (line.startsWith('-')) return red(line);
    if (line.startsWith('@@')) return cyan(line);
    return dim(line);
  };
}
