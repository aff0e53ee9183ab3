import type { StoryTurn } from './story.js';

/** Turns whose prompt or answer has the text. */
export function findTurns(turns: readonly StoryTurn[], text: string): readonly StoryTurn[] {
  const wanted = text.trim().toLowerCase();
  return turns.filter(({ prompt, blocks }) => {
    if (!prompt) return false;
    return (
      prompt.text.toLowerCase().includes(wanted) ||
      blocks.some((block) => block.kind === 'text' && block.text.toLowerCase().includes(wanted))
    );
  });
}

export function goTo(turnId: string): void {
  document.getElementById(turnAnchor(turnId))?.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

export function turnAnchor(id: string): string {
  return `turn-${id}`;
}
