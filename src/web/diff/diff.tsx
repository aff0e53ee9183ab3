import { useMemo, useState } from 'preact/hooks';
import { reveal } from '../../util/text/reveal.js';
import { highlight } from '../markdown/highlight.js';
import { memo } from '../ui/memo.js';
import { useWide } from '../ui/use-wide.js';
import { diffWords } from '../words/question.js';
import { pairsOf, partsOf } from './parts.js';
import { countRows, diffRows, type DiffRow } from './rows.js';

type DiffProps = {
  readonly before: string;
  readonly after: string;
  /** One column, wherever it stands. */
  readonly isNarrow?: boolean;
};

/**
 * A change: one column on a phone, side by side on a desk. Characters that cannot be seen are written out. Drawn again only
 * if it is another one: the question around it changes with every scroll, and ten thousand lines take long.
 */
export const Diff = memo(({ before, after, isNarrow = false }: DiffProps) => {
  const parts = useMemo(() => partsOf(diffRows(before, after)), [before, after]);
  const [opened, setOpened] = useState<readonly number[]>([]);
  const isSplit = useWide() && !isNarrow;
  return (
    // In a tool's card it scrolls by itself, and keys must reach it.
    <div class="diff" role="group" aria-label={diffWords.label} tabIndex={isNarrow ? 0 : undefined}>
      {parts.map(({ isGap, rows }, index) =>
        isGap && !opened.includes(index) ? (
          <button key={index} type="button" class="gap" onClick={() => setOpened([...opened, index])}>
            {diffWords.unchanged(rows.length)}
          </button>
        ) : isSplit ? (
          pairsOf(rows).map(([left, right], place) => (
            <div key={`${index}.${place}`} class="duo">
              <Line row={left} number={left?.before} />
              <Line row={right} number={right?.after} />
            </div>
          ))
        ) : (
          rows.map((row, place) => <Line key={`${index}.${place}`} row={row} number={row.after ?? row.before} />)
        ),
      )}
    </div>
  );
});

const kinds = { ' ': 'ln', '+': 'ln add', '-': 'ln del' };

function Line({ row, number }: { row: DiffRow | undefined; number: number | undefined }) {
  if (!row) return <div class="ln void" />;
  const { sign, text, mark, isOpen } = row;
  return (
    <div class={kinds[sign]}>
      <span class="no">{number}</span>
      <span class="sg" aria-hidden="true">
        {sign}
      </span>
      <code>
        {sign !== ' ' && <span class="sr">{sign === '+' ? diffWords.added : diffWords.removed}</span>}
        {mark ? (
          <>
            {reveal(text.slice(0, mark.from))}
            <mark>{reveal(text.slice(mark.from, mark.to))}</mark>
            {reveal(text.slice(mark.to))}
          </>
        ) : (
          highlight(reveal(text))
        )}
        {isOpen && sign !== ' ' && <em class="open-end">{diffWords.noNewline}</em>}
      </code>
    </div>
  );
}

/** How many lines are added and removed. */
export function DiffCount({ before, after }: DiffProps) {
  const { added, removed } = useMemo(() => countRows(diffRows(before, after)), [before, after]);
  return (
    <span class="stat num">
      <b class="plus">+{added}</b> <b class="minus">−{removed}</b>
    </span>
  );
}
