import { isMe, type Me } from '../me.js';
import { questionWords } from '../words/question.js';
import type { Story } from '../story/story.js';

/** Clients other than this browser. */
export function othersHere({ clients }: Story, me: Me): Story['clients'] {
  return clients.filter(
    ({ name, surface, ...who }) => surface !== 'tui' && !isMe(me, { surface, client: name, ...who }),
  );
}

/** Where a question is open besides here; undefined if nowhere. */
export function alsoOpenOn(story: Story, me: Me): string | undefined {
  const others = othersHere(story, me).length + story.moreClients;
  if (me.mode === 'live') return questionWords.terminalAnd(others);
  return others === 0 ? undefined : questionWords.others(others);
}
