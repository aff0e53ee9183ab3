import { lines } from '../a2a/lines/lines.js';
import { transportNames } from './a2a/transport.js';
import { formatted } from './formatted.js';

const begin = '<!-- checklist: made by npm run docs from test/a2a/lines -->';
const end = '<!-- /checklist -->';

/** docs/conformance.md with the table of what is checked on which transport, made from the checks themselves. */
export async function withChecklist(page: string): Promise<string> {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/conformance.md needs ${begin} and ${end}`);
  const made = `${before}${begin}\n\n${table()}\n\n${reasons()}\n\n${end}${after}`;
  return formatted('docs/conformance.md', made);
}

function table(): string {
  const head = ['§', 'requirement', ...transportNames];
  const rows = lines.map(({ section, says, not }) => [
    section,
    says,
    ...transportNames.map((name) => (not?.[name] === undefined ? 'pass' : '–')),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function reasons(): string {
  const all = lines.flatMap(({ section, not = {} }) => Object.values(not).map((why) => `§ ${section}: ${why}.`));
  return `Where a cell has a dash: ${[...new Set(all)].join(' ')}`;
}
