import { type Entry, liveSessions } from '../../discovery/discovery.js';
import { fetchWith } from './trust.js';

/** A terminal that is busy answers late, but it answers. */
const patienceMs = 10_000;

/** Live sessions whose endpoint answers, oldest first. */
export async function servingSessions(stateDir: string): Promise<Entry[]> {
  const sessions = await Promise.all(
    liveSessions(stateDir).map(async (entry) => ((await isServing(entry)) ? [entry] : [])),
  );
  return sessions.flat();
}

/** The process id may have been reused by another program, so ask the endpoint itself. */
async function isServing({ url, token, sessionId, certificate }: Entry): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const request = fetchWith(certificate);
    const response = await request(`${url}tasks/${sessionId}`, { headers, signal: AbortSignal.timeout(patienceMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
