import { Clock } from '../ui/clock.js';
import { appWords } from '../words/app.js';
import { linkWords as w } from '../words/session.js';
import type { Link } from '../story/link.js';

/** What is wrong with the connection, in the dock. */
export function LinkLine({ link }: { link: Link }) {
  if (link.state === 'reconnecting') {
    return (
      <div class="settled" role="status">
        <span class="node dashed" aria-hidden="true" />
        <div>
          <strong>{link.reason === 'slow' ? w.slow : w.reconnecting}</strong>
          <small>
            {link.reason === 'restart' && `${w.restart} `}
            {w.for}
            <Clock since={link.since} />
            {w.tries(link.tries)}
            {w.nothingLost}
          </small>
        </div>
      </div>
    );
  }
  if (link.state !== 'closed') return null;
  return (
    <div class="settled" role="alert">
      <span class="node no" aria-hidden="true">
        ■
      </span>
      <div>
        <strong>{link.error.code === 'other-session' || link.error.code === 'unknown-task' ? w.over : w.closed}</strong>
        <small>{link.error.message}</small>
      </div>
      <button type="button" class="quiet" onClick={() => location.reload()}>
        {appWords.reload}
      </button>
    </div>
  );
}
