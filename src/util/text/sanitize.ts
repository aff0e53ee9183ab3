/**
 * Makes external text safe for a terminal and its readers. Removes escape sequences with their payload, then control
 * characters other than newline and tab, bidirectional controls and all invisible characters. Joiners (between letters of
 * scripts that need them, inside emoji) and U+FE0F (which makes a sign an emoji) stay only where they change what is visible.
 */
export function sanitize(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(stringSequence, '')
    .replace(controlSequence, '')
    .replace(escapeSequence, '')
    .replace(controlCharacter, '')
    .replace(unseen, '')
    .replace(idle, '');
}

/** The same on one line, for names and titles. */
export function sanitizeLine(text: string, maxLength = 80): string {
  const line = sanitize(text).replace(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/* oxlint-disable no-control-regex -- these patterns match control characters */
/** OSC, DCS, SOS, PM and APC: an introducer, a payload, a terminator or the end of the text. */
const stringSequence =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|(?=\u001b)|$)/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const escapeSequence = /\u001b[ -/]*[0-~]?/g;
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const suspicious =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
/* oxlint-enable no-control-regex */

/** Unicode's list of invisible characters, including all bidirectional controls; separators and annotations. */
const unseen = new RegExp(
  String.raw`[[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]--[\u200c\u200d\ufe0f]]+|[\u200c\u200d\ufe0f]{3,}`,
  'gv',
);

const joining = ['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Tibt', 'Khmr', 'Mymr', 'Sinh']
  .concat(['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym'])
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
/** Joiners and U+FE0F where they have no visible effect. */
const idle = new RegExp(
  [
    String.raw`[\u200c\u200d\ufe0f]`,
    String.raw`(?<!(?<=[${joining}])[\u200c\u200d](?=[${joining}]))`,
    String.raw`(?<!(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic}))`,
    String.raw`(?<!(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3))`,
  ].join(''),
  'gu',
);
