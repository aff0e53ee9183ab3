import type { ComponentChild } from 'preact';

/** Code without colour, which is kept for state: words that steer are heavier, comments and strings recede. */
export function highlight(text: string): ComponentChild {
  if (text.length > maxLength) return text;
  const drawn: ComponentChild[] = [];
  let at = 0;
  for (const found of text.matchAll(token)) {
    const [whole, comment, quoted, word] = found;
    const isKeyword = word !== undefined && keywords.has(word);
    if (comment === undefined && quoted === undefined && !isKeyword) continue;
    if (found.index > at) drawn.push(text.slice(at, found.index));
    drawn.push(isKeyword ? <b>{whole}</b> : <i>{whole}</i>);
    at = found.index + whole.length;
  }
  drawn.push(text.slice(at));
  return drawn;
}

/** A longer text has no need of it, and costs too many elements. */
const maxLength = 20_000;

const token =
  /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|(?<=^|\s)# [^\n]*)|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|([A-Za-z_$][\w$]*)/g;

const keywords = new Set(
  (
    'abstract as async await break case catch class const continue def default do elif else enum export extends false final ' +
    'fn for from func function if impl import in interface let match module mut new nil none null package pass private ' +
    'protected pub public readonly return self static struct super switch this throw trait true try type undefined use var ' +
    'void while with yield select where insert update delete create table join then fi done'
  ).split(' '),
);
