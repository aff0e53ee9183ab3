import type { DiffRow } from './rows.js';

/** A stretch of rows. A gap is unchanged and folded until somebody opens it. */
export type DiffPart = { readonly isGap: boolean; readonly rows: readonly DiffRow[] };

/** Unchanged lines shown around a change. */
const context = 3;
/** Fewer lines than this are not worth folding. */
const leastGap = 3;

export function partsOf(rows: readonly DiffRow[]): DiffPart[] {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  const parts: { isGap: boolean; rows: DiffRow[] }[] = [];
  rows.forEach((row, index) => {
    const isGap = !isNear[index];
    const last = parts.at(-1);
    if (last?.isGap === isGap) last.rows.push(row);
    else parts.push({ isGap, rows: [row] });
  });
  return parts.map((part) => (part.rows.length < leastGap ? { ...part, isGap: false } : part));
}

export type Pair = readonly [DiffRow | undefined, DiffRow | undefined];

/** Rows side by side: removed lines beside the added ones. */
export function pairsOf(rows: readonly DiffRow[]): Pair[] {
  const pairs: Pair[] = [];
  let [removed, added]: [DiffRow[], DiffRow[]] = [[], []];
  const flush = (): void => {
    const length = Math.max(removed.length, added.length);
    for (let index = 0; index < length; index++) pairs.push([removed[index], added[index]]);
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.sign === '-') removed.push(row);
    else if (row.sign === '+') added.push(row);
    else {
      flush();
      pairs.push([row, row]);
    }
  }
  flush();
  return pairs;
}
