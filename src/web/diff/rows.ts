import { diffArrays } from 'diff';

/** A line of a change. `from` to `to` is the part of it that differs from the line it replaces. */
export type DiffRow = {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  /** Its number before and after the change. */
  readonly before?: number;
  readonly after?: number;
  readonly mark?: { readonly from: number; readonly to: number };
  /** It is the last line, and no newline follows. */
  readonly isOpen?: true;
};

/** A comparison that needs more edits than this is not worth reading; everything is then shown as replaced. */
const maxEdits = 1000;

/** The change as lines: removed lines stand before the added ones that replace them. Pure. */
export function diffRows(before: string, after: string): DiffRow[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, now, { maxEditLength: maxEdits }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let [a, b] = [0, 0];
  let block: { removed: DiffRow[]; added: DiffRow[] } = { removed: [], added: [] };
  const flush = (): void => {
    rows.push(...marked(block.removed, block.added), ...marked(block.added, block.removed));
    block = { removed: [], added: [] };
  };
  for (const { value, removed, added } of changes) {
    if (!removed && !added) flush();
    for (const line of value) {
      if (removed) block.removed.push(toRow('-', line, { before: ++a }));
      else if (added) block.added.push(toRow('+', line, { after: ++b }));
      else rows.push(toRow(' ', line, { before: ++a, after: ++b }));
    }
  }
  flush();
  return rows;
}

/** What the change makes of the text. */
export function applyRows(rows: readonly DiffRow[]): string {
  return rows
    .filter(({ sign }) => sign !== '-')
    .map(({ text, isOpen }) => (isOpen ? text : `${text}\n`))
    .join('');
}

export function countRows(rows: readonly DiffRow[]): { added: number; removed: number } {
  const count = (wanted: DiffRow['sign']): number => rows.filter(({ sign }) => sign === wanted).length;
  return { added: count('+'), removed: count('-') };
}

/** With their newlines, so that a missing one at the end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function toRow(sign: DiffRow['sign'], line: string, numbers: Pick<DiffRow, 'before' | 'after'>): DiffRow {
  const isOpen = !line.endsWith('\n');
  return { sign, text: isOpen ? line : line.slice(0, -1), ...numbers, ...(isOpen ? { isOpen } : {}) };
}

/** Where each line has one partner, only the part that differs is marked. */
function marked(rows: readonly DiffRow[], partners: readonly DiffRow[]): readonly DiffRow[] {
  if (rows.length !== partners.length) return rows;
  return rows.map((row, index) => {
    const mark = differing(row.text, partners[index]?.text ?? '');
    return mark ? { ...row, mark } : row;
  });
}

/** Lines that have less than this part in common are two different lines. */
const leastCommon = 0.3;

function differing(text: string, other: string): DiffRow['mark'] {
  const shorter = Math.min(text.length, other.length);
  let from = 0;
  while (from < shorter && text[from] === other[from]) from++;
  let end = 0;
  while (end < shorter - from && text.at(-1 - end) === other.at(-1 - end)) end++;
  const isRelated = from + end >= shorter * leastCommon;
  return isRelated && text.length - end > from ? { from, to: text.length - end } : undefined;
}
