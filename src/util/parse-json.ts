/** Parses JSON whose nesting is at most `maxDepth`, so that nothing that walks the value can overflow the stack. */
export function parseJson(text: string, maxDepth: number): unknown {
  if (depthOf(text) > maxDepth) throw new SyntaxError(`nested deeper than ${maxDepth} levels`);
  return JSON.parse(text);
}

/** Brackets open at once. Counts brackets outside strings only; for text that is not JSON the number means nothing. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === backslash) i++;
      else if (c === quote) inString = false;
    } else if (c === quote) inString = true;
    else if (c === openBrace || c === openBracket) deepest = Math.max(deepest, ++depth);
    else if (c === closeBrace || c === closeBracket) depth--;
  }
  return deepest;
}

const [backslash, quote, openBrace, closeBrace, openBracket, closeBracket] = [92, 34, 123, 125, 91, 93];
