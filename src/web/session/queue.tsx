import { readable } from '../ui/readable.js';
import { Who } from '../ui/who.js';
import { isMe, may, type Me } from '../me.js';
import { sessionWords } from '../words/session.js';
import type { SessionHandle } from '../story/session-handle.js';
import { queueOf, type StoryTurn } from '../story/story.js';

/** Prompts that wait, for their turn or for the connection. Everybody takes back their own; an admin, any. */
export function Queue({ handle, me }: { handle: SessionHandle; me: Me }) {
  const queue = queueOf(handle.story);
  const unsent = handle.link.state === 'open' ? [] : handle.unsent;
  if (queue.length + unsent.length === 0) return null;
  return (
    <ul class="queue" aria-label={sessionWords.waiting}>
      {queue.map(({ id, queued, prompt }) => (
        <li key={id}>
          <span class="num">{queued}</span>
          <span class="text">{readable(prompt?.text ?? '')}</span>
          {prompt && <Who origin={prompt.origin} me={me} />}
          {prompt && mayTakeBack(prompt, me) && (
            <button
              type="button"
              aria-label={sessionWords.takeBack(prompt.text)}
              disabled={handle.link.state !== 'open'}
              onClick={() => void handle.takeBack(id).catch(() => {})}
            >
              ×
            </button>
          )}
        </li>
      ))}
      {unsent.map((text, index) => (
        <li key={`unsent ${index}`}>
          <span class="num" aria-hidden="true">
            –
          </span>
          <span class="text">{text}</span>
          <small>{sessionWords.unsent}</small>
        </li>
      ))}
    </ul>
  );
}

function mayTakeBack({ origin }: NonNullable<StoryTurn['prompt']>, me: Me): boolean {
  return may(me, 'prompt') && (me.scopes.includes('admin') || isMe(me, origin));
}
