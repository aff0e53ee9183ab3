import { isMe, type Me } from '../me.js';
import { readable } from './readable.js';
import { sessionWords } from '../words/session.js';

type Origin = { readonly surface: string; readonly client?: string; readonly principal?: string };

/** Somebody: an initial in a square, or the prompt sign for the terminal. You are the filled one. Never a colour. */
export function Who({ origin, me }: { origin: Origin; me?: Me }) {
  const name = nameOf(origin);
  const isOwn = me !== undefined && isMe(me, origin);
  return (
    <span class={isOwn ? 'who me' : 'who'}>
      <i aria-hidden="true">{origin.surface === 'tui' ? '›_' : name.slice(0, 1)}</i>
      {isOwn ? sessionWords.you : name}
    </span>
  );
}

export function nameOf({ surface, client, principal }: Origin): string {
  if (surface === 'tui') return sessionWords.terminal;
  return readable(client ?? principal?.replace(/^token:/, '') ?? surface);
}
