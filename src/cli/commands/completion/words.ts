import type { CliCommand } from '../../argv/command.js';
import { commands } from '../../argv/commands.js';
import type { Flag } from '../../argv/flag.js';
import { liveFlags } from '../../argv/live-flags.js';

/** What can be completed after one command. */
export type CommandWords = {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly verbs: readonly string[];
  /** The first operand may name a live session. */
  readonly takesSession: boolean;
};

/** Every command of the table, for the three shells. */
export const commandWords: readonly CommandWords[] = Object.entries<CliCommand>(commands).map(
  ([name, { summary, flags, verbs = [], takesSession }]) => ({
    name,
    summary,
    flags: Object.values(flags),
    verbs,
    takesSession: takesSession === 'name',
  }),
);

/** The flags of `cosession` itself. */
export const ownFlags: readonly Flag[] = Object.values(liveFlags);

/** Shell code that prints the port and the folder of every live session, with a tab between them. */
export const listSessions = String.raw`cosession ls 2>/dev/null | awk 'NR > 1 { port = $1; sub(/\/[^\/]*$/, "", port); sub(/.*:/, "", port); $1 = $2 = $3 = ""; sub(/^ +/, ""); print port "\t" $0 }'`;
