import type { SessionEvent, TurnState } from '../../domain/events.js';
import type { ToolCall } from '../../domain/tool-call.js';
import { defined } from '../../util/defined.js';

/** The context from earlier events that is needed to understand an event. */
export type Scene = {
  /** The seq of the last event that interrupted the agent's text: what it says next is a new message. */
  readonly passage: number;
  /** The running turn, or else the last one. */
  readonly turn?: { readonly id?: string; readonly state: TurnState; readonly error?: string };
  /** Ids of calls that wait for an answer. */
  readonly waiting: ReadonlySet<string>;
};

export const emptyScene: Scene = { passage: 0, waiting: new Set() };

/** The same events give the same scene, for every client and at any time. */
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
      // A queued turn can be cancelled while another runs.
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
