import { readable } from '../ui/readable.js';
import { Who } from '../ui/who.js';
import { isMe, may, type Me } from '../me.js';
import { sessionWords } from '../words/session.js';
import type { Store } from './store.js';
import { queueOf, type Turn } from './story.js';

/** Prompts that wait, for their turn or for the connection. Everybody takes back their own; an admin, any. */
export function Queue({ store, me }: { store: Store; me: Me }) {
  const queue = queueOf(store.story);
  const unsent = store.link.state === 'open' ? [] : store.unsent;
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
              disabled={store.link.state !== 'open'}
              onClick={() => void store.takeBack(id).catch(() => {})}
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

function mayTakeBack({ origin }: NonNullable<Turn['prompt']>, me: Me): boolean {
  return may(me, 'prompt') && (me.scopes.includes('admin') || isMe(me, origin));
}
