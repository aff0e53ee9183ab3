import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';

/** Breaks a line between words so that it fits; the lines after the first begin with `hanging`. */
export function wrap(line: string, width: number, hanging = ''): string[] {
  if (!Number.isFinite(width)) return [line];
  const room = Math.max(10, width - stripVTControlCharacters(hanging).length);
  const [first = '', ...rest] = wrapAnsi(line, room, { hard: true, trim: false }).split('\n');
  return [first, ...rest.map((each) => `${hanging}${each.replace(/^ /, '')}`)];
}
