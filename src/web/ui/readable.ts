/* oxlint-disable no-control-regex -- it is about control characters */
/** Colours of a terminal, whole or cut off at the end; other control characters; and what turns the direction of writing around. */
const unreadable =
  /\u001b\[[0-?]*[ -/]*(?:[@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/* oxlint-enable no-control-regex */

/** A text without what would hide or reorder parts of it. What somebody decides on is written out instead, with `reveal`. */
export function readable(text: string): string {
  return text.replace(unreadable, '');
}
