import { useState } from 'preact/hooks';
import { isOpenQuestion } from '../../client/client.js';
import { readable } from '../ui/readable.js';
import { nameOf } from '../ui/who.js';
import { outlineWords as w } from '../words/sides.js';
import { findTurns, goTo, turnAnchor } from '../story/find.js';
import type { StoryTurn } from '../story/story.js';

/** More than these are not listed at once; the find field reaches all. */
const shown = 200;

/** The turns on a small separate thread, to find one and jump to it. */
export function Outline({ turns }: { turns: readonly StoryTurn[] }) {
  const [text, setText] = useState('');
  const found = findTurns(turns, text);
  return (
    <nav class="outline" aria-label={w.label}>
      <input
        type="search"
        placeholder={w.find}
        aria-label={w.find}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {found.length === 0 && text !== '' && <p class="hint">{w.nothing}</p>}
      <ol>
        {found.slice(-shown).map((turn) => {
          const { kind, remark } = standOf(turn);
          return (
            <li key={turn.id} class={kind}>
              <a
                href={`#${turnAnchor(turn.id)}`}
                onClick={(event) => {
                  event.preventDefault();
                  goTo(turn.id);
                }}
              >
                <span>{readable(turn.prompt?.text ?? '')}</span>
                <small>
                  {turn.prompt && nameOf(turn.prompt.origin)}
                  {remark === undefined ? '' : ` · ${remark}`}
                </small>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function standOf({ blocks, state, isOver }: StoryTurn): { kind: string; remark?: string } {
  const tools = blocks.filter((block) => block.kind === 'tool');
  if (!isOver && tools.some(({ call }) => isOpenQuestion(call))) return { kind: 'ask', remark: w.needsYou };
  if (state === 'failed') return { kind: 'failed', remark: w.failed };
  if (state === 'canceled') return { kind: '', remark: w.stopped };
  return { kind: isOver ? '' : 'run', ...(tools.length === 0 ? {} : { remark: w.tools(tools.length) }) };
}
