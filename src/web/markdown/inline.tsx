import type { MarkedToken, Token } from 'marked';
import type { ComponentChild } from 'preact';
import { sessionWords } from '../words/session.js';
import { safeLink } from './safe-link.js';

/** Text inside a block. What is no known token is shown as it was written, HTML too. */
export function inline(tokens: readonly Token[]): ComponentChild[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lexer has no extensions, so it makes only these
  return (tokens as readonly MarkedToken[]).map((token) => {
    switch (token.type) {
      case 'strong':
        return <strong>{inline(token.tokens)}</strong>;
      case 'em':
        return <em>{inline(token.tokens)}</em>;
      case 'del':
        return <del>{inline(token.tokens)}</del>;
      case 'codespan':
        return <code>{token.text}</code>;
      case 'br':
        return <br />;
      case 'link':
        return link(token.href, token.text, inline(token.tokens));
      // Never loaded: the address of a picture could carry away what the model has read.
      case 'image':
        return <span>{sessionWords.picture(token.text || token.href)}</span>;
      case 'escape':
        return token.text;
      case 'text':
        return token.tokens ? inline(token.tokens) : token.text;
      default:
        return token.raw;
    }
  });
}

/** The host is shown beside words that do not name it, so a link cannot pretend to lead elsewhere. */
function link(href: string, text: string, label: ComponentChild): ComponentChild {
  const url = safeLink(href);
  if (!url) return text === href ? text : [label, ` (${href})`];
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {label}
      {text.includes(url.host) ? null : <small> {url.host || url.pathname}</small>}
    </a>
  );
}
