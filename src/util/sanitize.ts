/**
 * Text from outside, made safe for a terminal: escape sequences are removed whole with their payload, then
 * control characters other than newline and tab, bidirectional overrides and invisible format characters.
 * Joiners that emoji and scripts need (U+200C, U+200D) stay.
 */
export function sanitize(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(stringSequence, '')
    .replace(controlSequence, '')
    .replace(escapeSequence, '')
    .replace(controlCharacter, '')
    .replace(invisible, '');
}

/** The same on one line, for names and titles. */
export function sanitizeLine(text: string, maxLength = 80): string {
  const line = sanitize(text).replace(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/* oxlint-disable no-control-regex -- control characters are what these are about */
/** OSC, DCS, SOS, PM and APC: an introducer, a payload, a terminator or the end of the text. */
const stringSequence =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|(?=\u001b)|$)/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const escapeSequence = /\u001b[ -/]*[0-~]?/g;
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const suspicious =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
