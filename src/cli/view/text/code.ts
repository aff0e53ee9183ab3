import type { Style } from './style.js';

/** A line of code with its comments, strings, numbers and usual keywords in colour. Good enough for any language. */
export function drawCode(line: string, { dim, green, yellow, magenta }: Style): string {
  return line.replace(token, (whole, comment?: string, quoted?: string, number?: string) => {
    if (comment !== undefined) return dim(whole);
    if (quoted !== undefined) return green(whole);
    if (number !== undefined) return yellow(whole);
    return keywords.has(whole) ? magenta(whole) : whole;
  });
}

const token =
  /(\/\/.*|\/\*.*?(?:\*\/|$)|(?<=^|\s)(?:#|--)\s.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\b(\d[\w.]*)\b|[A-Za-z_$][\w$]*/g;

const keywords = new Set(
  (
    'abstract and as async await begin break case catch class const continue def default defer delete do done elif else end ' +
    'enum except export extends extern false fi final finally fn for foreach from func function go goto if impl implements ' +
    'import in instanceof interface is lambda let loop match mod module mut namespace new nil None not null or package pass ' +
    'private protected pub public raise range readonly return select self static struct super switch then this throw trait ' +
    'True true False try type typeof undefined unless use using var void when where while with yield'
  ).split(' '),
);
