/** What an agent does differently, as far as it cannot be seen in a message. */
export type Habits = {
  /** It may say that a call runs and then ask about it, at the latest after so long. All others ask first. */
  readonly asksWithinMs?: number;
  /** The first title of a call is the name of the tool. */
  readonly firstTitleIsName?: true;
};

/** By the name an agent gives itself. */
const known: readonly (readonly [name: RegExp, habits: Habits])[] = [
  // It reads a command before it asks about it; on a busy machine that has taken more than a second.
  [/^opencode$/i, { asksWithinMs: 10_000, firstTitleIsName: true }],
  // The two messages come one after the other.
  [/\bcodex-acp$/i, { asksWithinMs: 1000 }],
];

export function habitsOf(agentName: string): Habits {
  return known.find(([name]) => name.test(agentName))?.[1] ?? {};
}
