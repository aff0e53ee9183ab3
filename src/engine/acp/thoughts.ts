import type { EngineEvent } from '../engine.js';

type Thought = Extract<EngineEvent, { type: 'thought' }>;

/** Most agents stream a thought a word or two at a time. We publish thoughts by the paragraph. */
export class Thoughts {
  #held = '';

  /** Returns the thoughts that this piece completes. */
  add(piece: string): Thought[] {
    // Gemini sends each thought whole, starting with its subject.
    const before = piece.startsWith('**') ? this.flush() : [];
    this.#held += piece;
    const end = this.#held.lastIndexOf('\n\n');
    if (end < 0) return before;
    const whole = this.#held.slice(0, end);
    this.#held = this.#held.slice(end + 2);
    return [...before, ...toThoughts(whole)];
  }

  /** Something else follows, so the buffered text is complete. */
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
