/** What an agent does differently and its messages do not show. */
export type Habits = {
  /** The agent may report a call as running and ask about it up to this much later. All other agents ask first. */
  readonly asksWithinMs?: number;
  /** The first title of a call is the name of the tool. */
  readonly firstTitleIsName?: true;
};

/** By the agent's own name. */
const known: readonly (readonly [name: RegExp, habits: Habits])[] = [
  // It parses a command before it asks about it; on a busy machine that has taken more than a second.
  [/^opencode$/i, { asksWithinMs: 10_000, firstTitleIsName: true }],
  // The two messages come directly one after the other.
  [/\bcodex-acp$/i, { asksWithinMs: 1000 }],
];

export function habitsOf(agentName: string): Habits {
  return known.find(([name]) => name.test(agentName))?.[1] ?? {};
}
