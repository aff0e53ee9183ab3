import type { EngineEvent } from '../engine.js';

type Thought = Extract<EngineEvent, { type: 'thought' }>;

/** Most agents stream a thought in pieces of a word or two; a thought is published by the paragraph. */
export class Thoughts {
  #held = '';

  /** The thoughts that are whole with this piece. */
  add(piece: string): Thought[] {
    // Gemini sends each thought whole and starts it with its subject.
    const before = piece.startsWith('**') ? this.flush() : [];
    this.#held += piece;
    const end = this.#held.lastIndexOf('\n\n');
    if (end < 0) return before;
    const whole = this.#held.slice(0, end);
    this.#held = this.#held.slice(end + 2);
    return [...before, ...toThoughts(whole)];
  }

  /** Something else follows: what is held is whole. */
  flush(): Thought[] {
    const held = this.#held;
    this.#held = '';
    return toThoughts(held);
  }
}

function toThoughts(text: string): Thought[] {
  if (text.trim() === '') return [];
  const [, subject = 'Thinking', description = ''] = /^\s*(?:\*\*(.+?)\*\*)?\s*([^]*?)\s*$/.exec(text) ?? [];
  return [{ type: 'thought', subject, description }];
}
