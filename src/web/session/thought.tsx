import { readable } from '../ui/readable.js';
import { sessionWords } from '../words/session.js';
import type { Thought } from '../story/story.js';

/** Folded: what the model thinks matters less than what it says. */
export function ThoughtBlock({ items, isLive }: { items: readonly Thought[]; isLive: boolean }) {
  const isOne = items.length === 1;
  return (
    <details class={isLive ? 'thought now' : 'thought'}>
      <summary>
        <span class="node dot" aria-hidden="true" />
        {isOne ? '' : sessionWords.thoughts(items.length)}
        {readable(items.at(-1)?.subject ?? '')}
      </summary>
      {items.map(({ subject, description }, index) => (
        <p key={index}>
          {!isOne && <b>{readable(subject)}. </b>}
          {readable(description)}
        </p>
      ))}
    </details>
  );
}
