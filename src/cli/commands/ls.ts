import type { Entry } from '../../discovery/discovery.js';
import type { GivenTo } from '../argv/commands.js';
import { servingSessions } from '../find/serving-sessions.js';
import { columns } from '../../util/text/columns.js';
import type { Io } from '../view/io.js';

/** `cosession ls`: lists the live sessions of this user; `--json` adds the token for scripts. */
export async function ls({ flags }: GivenTo<'ls'>, { stateDir, stdout }: Io): Promise<number> {
  const live = await servingSessions(stateDir);
  stdout.write(flags.json ? `${JSON.stringify(live, null, 2)}\n` : linesOf(live));
  return 0;
}

function linesOf(live: readonly Entry[]): string {
  if (live.length === 0) return 'No live sessions. Start one with: cosession --a2a-port 41243\n';
  return columns([['URL', 'PID', 'SESSION', 'WORKSPACE'], ...live.map(toRow)]);
}

function toRow({ url, pid, sessionId, workspace }: Entry): string[] {
  return [url, String(pid), sessionId, workspace];
}
