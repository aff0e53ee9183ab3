import { readdirSync, readFileSync } from 'node:fs';
import { formatted } from './formatted.js';

/** A row of a table in docs/requirements.md: `| id | requirement | tests |`. */
const row = /^\| `(00\d-[\w.]+)` *\| ([^|]*?) *\|[^|]*\|$/;
/** An id in the title of a test, or beside a line of a table that a test runs. */
const citation = /\[(00\d-[\w.]+)\]/g;

/** The page with the test files that carry each id in its last column. The page owns the words, the tests own the files. */
export async function withTests(page: string): Promise<string> {
  const carriers = filesById();
  const lines = page.split('\n').map((line) => {
    const [, id, says] = row.exec(line) ?? [];
    if (id === undefined) return line;
    const links = (carriers.get(id) ?? []).map((file) => `[${file.replace(/(\.test)?\.ts$/, '')}](../test/${file})`);
    return `| \`${id}\` | ${says} | ${links.join(', ')} |`;
  });
  return formatted('docs/requirements.md', lines.join('\n'));
}

/** The ids of the page, in its order. */
export function requirementIds(page: string): string[] {
  return page.split('\n').flatMap((line) => row.exec(line)?.[1] ?? []);
}

/** The test files that carry each id. */
export function filesById(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('support/'))
    .toSorted();
  for (const file of files) {
    const cited = [...readFileSync(`test/${file}`, 'utf8').matchAll(citation)].map(([, id = '']) => id);
    for (const id of new Set(cited)) found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}
