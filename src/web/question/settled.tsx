import { useEffect, useState } from 'preact/hooks';
import type { WireToolCall } from '../../client/client.js';
import type { Me } from '../me.js';
import { copy } from '../ui/copy.js';
import { Who } from '../ui/who.js';
import { questionWords } from '../words/question.js';
import { outcomeWords, sessionWords } from '../words/session.js';
import { appWords } from '../words/app.js';
import { subjectOf } from './kind.js';
import { outcomeOf } from './outcome.js';

const shownMs = 6000;

type SettledProps = {
  readonly call: WireToolCall;
  readonly me: Me;
  /** What this reader had typed; it must not be lost because somebody else was faster. */
  readonly draft: string | undefined;
  readonly onClose: () => void;
};

/** Takes the place of a question that was answered elsewhere: who, and how. */
export function Settled({ call, me, draft, onClose }: SettledProps) {
  const { text, isDenied } = outcomeOf(call);
  const { resolvedBy } = call.metadata;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (draft !== undefined) return undefined;
    const timer = setTimeout(onClose, shownMs);
    return () => clearTimeout(timer);
  }, [call]);
  return (
    <div class="settled" role="status">
      <span class={isDenied ? 'node no' : 'node ok'} aria-hidden="true">
        {isDenied ? '–' : '✓'}
      </span>
      <div>
        <strong>
          {text}
          {resolvedBy && (
            <>
              {` ${outcomeWords.by} `}
              <Who origin={resolvedBy} me={me} />
            </>
          )}
        </strong>
        <small>{questionWords.elsewhere(subjectOf(call))}</small>
      </div>
      {draft !== undefined && (
        <button type="button" class="quiet" onClick={() => void copy(draft).then(() => setCopied(true))}>
          {isCopied ? sessionWords.copied : questionWords.copyEdit}
        </button>
      )}
      <button type="button" class="quiet" onClick={onClose}>
        {appWords.close}
      </button>
    </div>
  );
}
