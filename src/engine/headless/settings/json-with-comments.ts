/** Parses JSON with comments, as people write them in settings files. */
export function parseJsonWithComments(text: string): unknown {
  return JSON.parse(text.replace(stringOrComment, (match) => (match.startsWith('"') ? match : blank(match))));
}

/** Strings are matched too, so a `//` inside a URL stays. */
const stringOrComment = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Replaces a comment with spaces, so the parser's errors name the right line and column. */
function blank(comment: string): string {
  return comment.replaceAll(/[^\n]/g, ' ');
}
