import { format, resolveConfig } from 'prettier';
import { serveFlags } from '../../src/config/serve-flags.js';

const place = /(<!-- serve-flags: npm run docs -->\n)[^]*(<!-- \/serve-flags -->)/;

/** The page with the table of all flags of `cosession serve` in its place. */
export async function withServeFlags(page: string): Promise<string> {
  const rows = Object.entries(serveFlags).map(([name, flag]) => {
    const value = 'value' in flag ? ` <${flag.value}>` : '';
    const again = 'isRepeatable' in flag ? '; repeatable' : '';
    return `| \`--${name}${value}\` | \`${flag.env}\` | ${flag.help.replaceAll('|', '\\|')}${again} |`;
  });
  const table = ['| flag | variable | what |', '| --- | --- | --- |', ...rows].join('\n');
  const filled = page.replace(place, (_all, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
  return format(filled, { ...(await resolveConfig('docs/server.md')), parser: 'markdown' });
}
