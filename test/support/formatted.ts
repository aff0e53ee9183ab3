import { readFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';

/** The text as `npm run format` would write it into a file of this name. */
export async function formatted(fileName: string, text: string): Promise<string> {
  const settings = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(fileName, text, settings);
  if (errors[0] !== undefined) throw new Error(`${fileName} cannot be formatted: ${errors[0].message}`);
  return code;
}
