import type { Row } from './rows.js';

/** A stretch of rows. A gap is unchanged and folded until somebody opens it. */
export type Part = { readonly isGap: boolean; readonly rows: readonly Row[] };

/** Unchanged lines shown around a change. */
const context = 3;
/** Fewer lines than this are not worth folding. */
const leastGap = 3;

export function partsOf(rows: readonly Row[]): Part[] {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  const parts: { isGap: boolean; rows: Row[] }[] = [];
  rows.forEach((row, index) => {
    const isGap = !isNear[index];
    const last = parts.at(-1);
    if (last?.isGap === isGap) last.rows.push(row);
    else parts.push({ isGap, rows: [row] });
  });
  return parts.map((part) => (part.rows.length < leastGap ? { ...part, isGap: false } : part));
}

export type Pair = readonly [Row | undefined, Row | undefined];

/** Rows side by side: removed lines beside the added ones. */
export function pairsOf(rows: readonly Row[]): Pair[] {
  const pairs: Pair[] = [];
  let [removed, added]: [Row[], Row[]] = [[], []];
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
