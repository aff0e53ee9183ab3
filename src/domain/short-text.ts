/** A text on one line, cut to a length: for lists and titles. */
export function shortText(text: string, length: number): string {
  // Enough for the result, whatever part of it is white space: the text may be very long.
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= length && text.length <= length * 4 ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

/** A session is titled by its first prompt. */
export function sessionTitle(prompt: string): string {
  return shortText(prompt, 80);
}
