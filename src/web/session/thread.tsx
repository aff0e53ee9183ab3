import { useState } from 'preact/hooks';
import type { Me } from '../me.js';
import { Mark } from '../ui/mark.js';
import { sessionWords as w } from '../words/session.js';
import type { SessionHandle } from '../story/session-handle.js';
import { turnsOnThread } from '../story/story.js';
import { TurnView } from './turn.js';

/** The thread: everything that happened, as marks on one line that ends at the input. */
export function Thread({ handle, me }: { handle: SessionHandle; me: Me }) {
  const { story, link } = handle;
  const turns = turnsOnThread(story);
  const isEmpty = turns.every((turn) => turn.prompt === undefined);
  return (
    <div class="thread" role="log" aria-live="polite" aria-relevant="additions">
      <Beginning handle={handle} me={me} isEmpty={isEmpty} />
      {isEmpty && link.state === 'open' && (
        <div class="nothing">
          <Mark size={34} />
          <h2>{w.empty}</h2>
          <p>{w.emptyHint[me.mode]}</p>
        </div>
      )}
      {turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} me={me} />
      ))}
    </div>
  );
}

/** What is above the first turn: more turns, a mark where the session forgot, or its beginning. */
function Beginning({ handle, me, isEmpty }: { handle: SessionHandle; me: Me; isEmpty: boolean }) {
  const { oldest, isWhole, taskId } = handle.story;
  const [stand, setStand] = useState<'idle' | 'loading' | 'failed' | 'gone'>('idle');
  if (taskId === '') return null;
  if (isWhole) return isEmpty ? null : <p class="origin">{me.mode === 'live' ? w.beganInTerminal : w.beganHere}</p>;
  if (stand === 'gone') return <p class="origin">{w.gone(oldest)}</p>;
  const load = async (): Promise<void> => {
    setStand('loading');
    try {
      setStand((await handle.loadOlder()) ? 'idle' : 'gone');
    } catch {
      setStand('failed');
    }
  };
  return (
    <p class="origin">
      <button type="button" class="link" disabled={stand === 'loading'} onClick={() => void load()}>
        {w.earlier}
      </button>
      {stand === 'failed' && <span role="alert"> {w.earlierFailed}</span>}
    </p>
  );
}
