/** The number of output lines shown at a time. */
const maxLines = 5;

/** The complete lines: the last one may still grow. */
export function completeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** The new lines of live output. Each update repeats the whole output, or only its end if it is long. */
export function freshLines(before: string, now: string): string[] {
  return lastLines(now.startsWith(before) ? now.slice(before.length) : (afterKnown(before, now) ?? now));
}

/**
 * The lines of the result that live output has not shown yet, and how many of them are left out. Empty if the two cannot be
 * matched.
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

/** The text after the last line that was already seen. */
function afterKnown(before: string, now: string): string | undefined {
  const last = before.trimEnd().split('\n').at(-1) ?? '';
  const at = last === '' ? -1 : now.lastIndexOf(`${last}\n`);
  return at < 0 ? undefined : now.slice(at + last.length + 1);
}
