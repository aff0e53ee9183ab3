import { useMemo } from 'preact/hooks';
import { Diff } from '../diff/diff.js';
import { diffRows } from '../diff/rows.js';
import { questionWords } from '../words/question.js';

type EditorProps = { readonly value: string; readonly proposal: string; readonly onInput: (value: string) => void };

/** A plain text area on purpose: the phone's own selection, keyboard and undo. */
export function Editor({ value, proposal, onInput }: EditorProps) {
  const lines = value.split('\n').length;
  const changed = useMemo(() => new Set(diffRows(proposal, value).flatMap(addedLine)), [proposal, value]);
  return (
    <div class="editor">
      <div class="ed">
        <pre class="nums" aria-hidden="true">
          {Array.from({ length: lines }, (_, index) =>
            changed.has(index + 1) ? <b>{`${index + 1}\n`}</b> : `${index + 1}\n`,
          )}
        </pre>
        <textarea
          aria-label={questionWords.yourVersion}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          rows={lines}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {value === proposal ? (
        <p class="hint">{questionWords.editHint}</p>
      ) : (
        <div class="yours">
          <h3>{questionWords.yourEdit}</h3>
          <Diff before={proposal} after={value} isNarrow />
        </div>
      )}
    </div>
  );
}

function addedLine({ sign, after }: ReturnType<typeof diffRows>[number]): number[] {
  return sign === '+' && after !== undefined ? [after] : [];
}
