/** Splits a command line into words. Knows only the quotes and backslashes of a POSIX shell. Throws on an open quote. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const word = wordAtStart.exec(rest)?.[0] ?? '';
    if (word === '') throw new SyntaxError(`a quote is not closed in: ${line}`);
    words.push(word.replace(piece, unquote));
    const after = rest.slice(word.length);
    if (after !== '' && !/^\s/.test(after)) throw new SyntaxError(`a quote is not closed in: ${line}`);
    rest = after.trimStart();
  }
  return words;
}

/** `'as it is'`, `"with \" and \\"`, `\x`, or plain characters. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|[^\s'"\\]+/g;
const wordAtStart = new RegExp(`^(?:${piece.source})+`);

function unquote(all: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? all;
}
