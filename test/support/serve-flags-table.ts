import { commands } from '../../src/cli/argv/commands.js';
import { flagTable } from './flag-table.js';
import { formatted } from './formatted.js';

const place = /(<!-- serve-flags: npm run docs -->\n)[^]*(<!-- \/serve-flags -->)/;

/** The page with the table of all flags of `cosession serve` in its place. */
export async function withServeFlags(page: string): Promise<string> {
  const filled = page.replace(
    place,
    (_all, begin: string, end: string) => `${begin}\n${flagTable(commands.serve)}\n\n${end}`,
  );
  return formatted('docs/server.md', filled);
}
