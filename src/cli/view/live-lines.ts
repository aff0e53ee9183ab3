/** Lines of output that are shown at a time. */
const maxLines = 5;

/** The lines that are whole: the last one may still grow. */
export function completeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Live output comes whole each time, and only its end when it is long: these are the lines that are new. */
export function freshLines(before: string, now: string): string[] {
  return lastLines(now.startsWith(before) ? now.slice(before.length) : (afterKnown(before, now) ?? now));
}

/**
 * What the result has beyond the lines that were shown while it came, and how much of it is left out; nothing when the two
 * cannot be matched.
 */
export function remainingLines(shown: string, result: string): string[] {
  const text = shown === '' ? result : (afterKnown(shown, `${result}\n`) ?? '');
  const leftOut = linesOf(text).length - maxLines;
  return leftOut > 0 ? [`… ${leftOut} more`, ...lastLines(text)] : lastLines(text);
}

function lastLines(text: string): string[] {
  return linesOf(text).slice(-maxLines);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** What stands after the last line that was seen before. */
function afterKnown(before: string, now: string): string | undefined {
  const last = before.trimEnd().split('\n').at(-1) ?? '';
  const at = last === '' ? -1 : now.lastIndexOf(`${last}\n`);
  return at < 0 ? undefined : now.slice(at + last.length + 1);
}
