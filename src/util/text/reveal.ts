/**
 * For text that someone decides on, such as a command to approve: characters that a terminal would act on or not
 * show are written out (`\u{1b}`, `\u{202e}`, `\u{a0}`) instead of removed. Newlines and tabs stay.
 */
export function reveal(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The same on one line. */
export function revealLine(text: string): string {
  return reveal(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Controls, format characters, lone surrogates, ignorable characters, and all spaces other than the plain one. */
const unseen = /(?![\n\t])\p{Cc}|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
