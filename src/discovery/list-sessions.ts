import { type Entry, liveSessions } from './discovery.js';

/** What `cosession ls` prints; `--json` adds the token for scripts. */
export async function listSessions(stateDir: string, args: readonly string[]): Promise<string> {
  const live = await servingSessions(stateDir);
  if (args.includes('--json')) return `${JSON.stringify(live, null, 2)}\n`;
  if (live.length === 0) return 'No live sessions. Start one with: cosession --a2a-port 41243\n';
  const rows = [['URL', 'PID', 'SESSION', 'WORKSPACE'], ...live.map(toRow)];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('');
}

/** Live sessions whose endpoint answers, oldest first. */
export async function servingSessions(stateDir: string): Promise<Entry[]> {
  const sessions = await Promise.all(
    liveSessions(stateDir).map(async (entry) => ((await isServing(entry)) ? [entry] : [])),
  );
  return sessions.flat();
}

function toRow({ url, pid, sessionId, workspace }: Entry): string[] {
  return [url, String(pid), sessionId, workspace];
}

/** A process id may be another program's by now: only the endpoint itself can say that it is there. */
async function isServing({ url, token, sessionId }: Entry): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}tasks/${sessionId}`, { headers, signal: AbortSignal.timeout(1000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
