import type { ComponentChildren } from 'preact';
import { questionWords as w } from '../words/question.js';

export type SheetTopProps = {
  readonly title: string;
  readonly onFold: () => void;
  /** Which of several open questions this is. */
  readonly pager: { readonly at: number; readonly of: number; readonly go: (at: number) => void } | undefined;
  readonly alsoOpenOn: string | undefined;
  readonly children: ComponentChildren;
};

export function SheetTop({ title, onFold, pager, alsoOpenOn, children }: SheetTopProps) {
  return (
    <div class="q-top">
      <span class="node ask" aria-hidden="true">
        ?
      </span>
      <div class="q-head">
        <h2 id="question-title">{title}</h2>
        <p id="question-about">{children}</p>
      </div>
      {pager && (
        <nav class="pager" aria-label={w.pager}>
          <button
            type="button"
            aria-label={w.previous}
            disabled={pager.at === 0}
            onClick={() => pager.go(pager.at - 1)}
          >
            ‹
          </button>
          <span class="num">
            {pager.at + 1}/{pager.of}
          </span>
          <button
            type="button"
            aria-label={w.next}
            disabled={pager.at === pager.of - 1}
            onClick={() => pager.go(pager.at + 1)}
          >
            ›
          </button>
        </nav>
      )}
      {alsoOpenOn !== undefined && (
        <span class="also">
          {w.alsoOpen}
          <b>{alsoOpenOn}</b>
        </span>
      )}
      <button type="button" class="fold" aria-label={w.fold} onClick={onFold}>
        <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
          <path stroke-width="1.5" d="M3 6l5 5 5-5" />
        </svg>
      </button>
    </div>
  );
}
