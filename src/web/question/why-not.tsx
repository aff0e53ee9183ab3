import { useState } from 'preact/hooks';
import { questionWords as w } from '../words/question.js';

type WhyNotProps = { readonly isReady: boolean; readonly onBack: () => void; readonly onSend: (why: string) => void };

/** Denies with words for the agent. */
export function WhyNot({ isReady, onBack, onSend }: WhyNotProps) {
  const [why, setWhy] = useState('');
  return (
    <form
      class="why-not"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(why.trim());
      }}
    >
      <textarea
        class="field area"
        rows={2}
        aria-label={w.whyNot}
        placeholder={w.whyNot}
        value={why}
        ref={(area) => area?.focus()}
        onInput={(event) => setWhy(event.currentTarget.value)}
      />
      <div class="acts">
        <button type="submit" class="primary" disabled={!isReady || why.trim() === ''}>
          {w.denyAndSend}
        </button>
        <button type="button" class="plain" onClick={onBack}>
          {w.back}
        </button>
      </div>
    </form>
  );
}
