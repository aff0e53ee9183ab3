/** A file that is being named in the input: `@` and what follows it, up to the caret. */
export type Mention = { readonly start: number; readonly end: number; readonly query: string };

export function mentionAt(text: string, caret: number): Mention | undefined {
  const found = /(?:^|\s)@((?:\\ |[^\s@])*)$/.exec(text.slice(0, caret));
  if (found?.[1] === undefined) return undefined;
  return { start: caret - found[1].length, end: caret, query: found[1].replaceAll('\\ ', ' ') };
}

/** The text with the file in the place of what was typed, and where the caret stands then. */
export function withFile(text: string, { start, end }: Mention, path: string): { text: string; caret: number } {
  // The Gemini CLI reads a path up to the first space that is not escaped.
  const before = `${text.slice(0, start)}${path.replaceAll(' ', '\\ ')} `;
  return { text: before + text.slice(end).replace(/^ /, ''), caret: before.length };
}
