export type JsonSize = {
  /** The deepest nesting of brackets. */
  readonly depth: number;
  /** At least the number of elements, members and brackets. */
  readonly values: number;
};

/**
 * What a JSON text costs to process, measured without parsing it. Looks only outside strings; for text that is not JSON the
 * numbers mean nothing.
 */
export function jsonSize(text: string): JsonSize {
  let open = 0;
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === backslash) i++;
      else if (c === quote) inString = false;
    } else if (c === quote) inString = true;
    else if (c === comma) values++;
    else if (c === openBrace || c === openBracket) {
      values++;
      depth = Math.max(depth, ++open);
    } else if (c === closeBrace || c === closeBracket) open--;
  }
  return { depth, values };
}

const [backslash, quote, comma, openBrace, closeBrace, openBracket, closeBracket] = [92, 34, 44, 123, 125, 91, 93];
