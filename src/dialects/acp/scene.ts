import type { SessionEvent, TurnState } from '../../domain/events.js';
import type { ToolCall } from '../../domain/tool-call.js';
import { defined } from '../../util/defined.js';

/** What came before an event, as far as the event is understood only with it. */
export type Scene = {
  /** The last event that broke off what the agent was saying: what it says next is another message. */
  readonly passage: number;
  /** The turn that runs, or the last one that did. */
  readonly turn?: { readonly id?: string; readonly state: TurnState; readonly error?: string };
  /** Calls that wait for an answer. */
  readonly waiting: ReadonlySet<string>;
};

export const emptyScene: Scene = { passage: 0, waiting: new Set() };

/** The same events make the same scene, whoever hears them and when. */
export function nextScene(scene: Scene, event: SessionEvent): Scene {
  const { seq: passage } = event;
  switch (event.type) {
    case 'prompt':
      return event.queued === undefined ? { ...scene, passage } : scene;
    case 'thought':
      return { ...scene, passage };
    case 'tool':
      return { ...scene, passage, waiting: waitingAfter(scene.waiting, event.call) };
    case 'turn': {
      const { turnId: id, state, error } = event;
      // A turn that waits in the queue can be taken back while another runs.
      if (state !== 'working' && scene.turn && scene.turn.id !== id) return scene;
      const turn = { ...defined({ id }), state, ...defined({ error }) };
      return { ...scene, passage, turn };
    }
    default:
      return scene;
  }
}

function waitingAfter(waiting: ReadonlySet<string>, { id, status }: ToolCall): ReadonlySet<string> {
  if (waiting.has(id) === (status === 'waiting')) return waiting;
  const others = [...waiting].filter((other) => other !== id);
  return new Set(status === 'waiting' ? [...others, id] : others);
}
