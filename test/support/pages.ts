import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything in this repository that is written to be read. */
export const pages: readonly string[] = [
  ...readdirSync('.'),
  'test/support/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'));

/** Links of a page that lead to no file, or to no heading in it. */
export function brokenLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : join(dirname(page), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

/** Paths of this repository that a page names and that are not there. */
export function missingPaths(page: string): string[] {
  const named = [...textOf(page).matchAll(/`((?:src|test|scripts|bench|deploy|docs)\/[\w./-]*)`/g)];
  return named.map(([, path = '']) => path).filter((path) => !existsSync(path));
}

/** The words that docs/glossary.md tells to avoid. */
export function avoidedWords(): string[] {
  const rows = textOf('docs/glossary.md').matchAll(/^\|.*\| ([^|]+?) *\|$/gm);
  const cells = [...rows].map(([, cell = '']) => cell).filter((cell) => !/^(avoid|instead of|-+)$/.test(cell));
  return cells.flatMap((cell) => cell.split(', '));
}

/** Avoided words in what of a page is written by hand. */
export function avoidedIn(page: string, words: readonly string[]): string[] {
  const text = textOf(page).replaceAll(/^<!-- (?!\/)[^]*?^<!-- \/.*$/gm, '');
  if (/^(Generated|Made) by `npm run docs`/m.test(text)) return [];
  return words.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(text.replaceAll(/\s+/g, ' ')));
}

function textOf(page: string): string {
  return readFileSync(page, 'utf8');
}

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = textOf(page)
    .replaceAll(/^```[^]*?^```/gm, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
