import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';

const options = { hard: true, trim: false } as const;

/** Breaks a line between words so that it fits; the lines after the first begin with `hanging`. */
export function wrap(line: string, width: number, hanging = ''): string[] {
  if (!Number.isFinite(width)) return [line];
  // The line may already be wrapped and indented. Then it fits, even if a continuation line would have less room.
  const fits = !wrapAnsi(line, Math.max(10, width), options).includes('\n');
  if (fits) return [line];
  const room = Math.max(10, width - stripVTControlCharacters(hanging).length);
  const [first = '', ...rest] = wrapAnsi(line, room, options).split('\n');
  return [first, ...rest.map((each) => `${hanging}${each.replace(/^ /, '')}`)];
}
