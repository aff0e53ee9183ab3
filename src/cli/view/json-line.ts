/** One line of JSON for a program. JSON does not escape some characters that a terminal interprets; escaped, they mean the same. */
export function jsonLine(value: object): string {
  const escaped = JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
