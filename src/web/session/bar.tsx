import { keyOf } from '../ui/key-of.js';
import { Mark } from '../ui/mark.js';
import { appWords, stateWords } from '../words/app.js';
import type { Link } from '../story/link.js';

/** What the colours of the screen say: not connected, somebody is asked, working, or at rest. */
export type Tone = 'off' | 'ask' | 'run' | 'idle';

type BarProps = {
  readonly title: string;
  readonly place: string;
  readonly tone: Tone;
  readonly link: Link;
  readonly asks: number;
  readonly hasFailed: boolean;
  readonly onList: (() => void) | undefined;
  readonly onShare: (() => void) | undefined;
  readonly onCommands: () => void;
};

export function Bar({ title, place, onList, onShare, onCommands, ...state }: BarProps) {
  return (
    <header class="bar">
      {onList ? (
        <button type="button" class="brand" onClick={onList} aria-label={appWords.allSessions}>
          <span class="back" aria-hidden="true">
            ‹
          </span>
        </button>
      ) : (
        <span class="brand">
          <Mark />
        </span>
      )}
      <h1>
        <span class="title">{title}</span>
        <small class="mono">{place}</small>
      </h1>
      <span class="state" role="status">
        <i aria-hidden="true" />
        {stateWord(state)}
      </span>
      {onShare && (
        <button type="button" class="quiet wide-only" onClick={onShare}>
          {appWords.share}
        </button>
      )}
      <button type="button" class="quiet key" onClick={onCommands}>
        <span class="sr">{appWords.commands}</span>
        <span class="wide-only" aria-hidden="true">
          {keyOf('K')}
        </span>
        <span class="phone-only" aria-hidden="true">
          ⋯
        </span>
      </button>
    </header>
  );
}

function stateWord({ tone, link, asks, hasFailed }: Pick<BarProps, 'tone' | 'link' | 'asks' | 'hasFailed'>): string {
  const w = stateWords;
  if (link.state === 'connecting') return w.connecting;
  if (link.state === 'reconnecting') return link.reason === 'slow' ? w.slow : w.reconnecting;
  if (link.state === 'closed') return w.ended;
  if (asks > 0) return w.asks(asks);
  return tone === 'run' ? w.working : hasFailed ? w.failed : w.idle;
}
