import { unreachable } from '../../util/unreachable.js';
import { Markdown } from '../markdown/markdown.js';
import type { Me } from '../me.js';
import { memo } from '../ui/memo.js';
import { readable } from '../ui/readable.js';
import { clockTime } from '../ui/time.js';
import { Who } from '../ui/who.js';
import { sessionWords } from '../words/session.js';
import { turnAnchor } from '../story/find.js';
import type { Block, StoryTurn } from '../story/story.js';
import { ThoughtBlock } from './thought.js';
import { Tool } from './tool.js';

/** One turn on the thread. Drawn again only when it changes: a turn that changed is another object. */
export const TurnView = memo(({ turn, me }: { turn: StoryTurn; me: Me }) => {
  const { id, prompt, blocks, state, error, isOver } = turn;
  if (!prompt && blocks.length === 0) return null;
  const last = blocks.at(-1);
  return (
    <article class={isOver ? 'turn' : 'turn now'} id={turnAnchor(id)}>
      {prompt && (
        <header class="prompt">
          <span class="node say" aria-hidden="true">
            ›
          </span>
          <p class="said">{readable(prompt.text)}</p>
          <p class="by">
            <Who origin={prompt.origin} me={me} />
            <time dateTime={prompt.at}>{clockTime(prompt.at)}</time>
          </p>
        </header>
      )}
      {blocks.map((block) => (
        <BlockView key={block.id} block={block} isLive={!isOver && block === last} me={me} />
      ))}
      {(state === 'failed' || state === 'rejected') && (
        <End glyph="✕" text={sessionWords.failed(error && readable(error))} isBad />
      )}
      {state === 'canceled' && <End glyph="■" text={sessionWords.stopped} />}
    </article>
  );
});

const BlockView = memo(({ block, isLive, me }: { block: Block; isLive: boolean; me: Me }) => {
  switch (block.kind) {
    case 'text':
      return <Markdown text={block.text} isLive={isLive} />;
    case 'thought':
      return <ThoughtBlock items={block.items} isLive={isLive} />;
    case 'tool':
      return <Tool block={block} me={me} />;
    case 'source':
      return <p class="note">{sessionWords.source(readable(block.text))}</p>;
    case 'note':
      return <p class={`note ${block.level}`}>{readable(block.text)}</p>;
    default:
      return unreachable(block);
  }
});

function End({ glyph, text, isBad = false }: { glyph: string; text: string; isBad?: boolean }) {
  return (
    <p class={isBad ? 'end bad' : 'end'}>
      <span class="node no" aria-hidden="true">
        {glyph}
      </span>
      {text}
    </p>
  );
}
