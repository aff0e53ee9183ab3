/** Parses JSON that may hold comments, as people write them into settings files. */
export function parseJsonWithComments(text: string): unknown {
  return JSON.parse(text.replace(stringOrComment, (match) => (match.startsWith('"') ? match : blank(match))));
}

/** Strings are matched too, so that a `//` inside a URL stays. */
const stringOrComment = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Spaces instead of nothing: an error of the parser then names the right line and column. */
function blank(comment: string): string {
  return comment.replaceAll(/[^\n]/g, ' ');
}
