import { Lexer, type MarkedToken, type Token } from 'marked';
import type { Style } from './style.js';

/** One line of Markdown with its emphasis, code and links drawn for a terminal. */
export function drawInline(text: string, style: Style): string {
  return drawAll(Lexer.lexInline(text), style);
}

function drawAll(tokens: readonly Token[], style: Style): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only extensions make other tokens, and there are none
  return tokens.map((token) => draw(token as MarkedToken, style)).join('');
}

function draw(token: MarkedToken, style: Style): string {
  switch (token.type) {
    case 'strong':
      return style.bold(drawAll(token.tokens, style));
    case 'em':
      return style.italic(drawAll(token.tokens, style));
    case 'del':
      return style.dim(drawAll(token.tokens, style));
    case 'codespan': {
      const painted = style.cyan(token.text);
      // Without colours, the marks say where code begins and ends.
      return painted === token.text ? token.raw : painted;
    }
    case 'link': {
      const text = drawAll(token.tokens, style);
      return token.text === token.href ? style.underline(text) : `${text} (${style.underline(token.href)})`;
    }
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? drawAll(token.tokens, style) : token.text;
    // Images, HTML and line breaks stay as they were written.
    default:
      return token.raw;
  }
}
