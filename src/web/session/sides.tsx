import type { Me } from '../me.js';
import { Desk } from './desk.js';
import { Outline } from './outline.js';
import { turnsOnThread, type Story } from '../story/story.js';

/** Both columns beside the thread. Loaded only where there is room for them. */
export function Sides({ story, me }: { story: Story; me: Me }) {
  return (
    <>
      <Outline turns={turnsOnThread(story)} />
      <Desk story={story} me={me} />
    </>
  );
}
