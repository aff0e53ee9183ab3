import { AppError } from '../domain/errors.js';
import { isTurnEnd, type Origin, type SessionEvent } from '../domain/events.js';
import type { CommandOutcome } from '../engine/task-engine.js';
import type { SessionPort } from '../session/session-port.js';

/** Runs a slash command in a session, where everyone sees it, and waits until it ends. */
export async function runInSession(
  session: SessionPort,
  line: string,
  origin: Origin = { surface: 'a2a' },
): Promise<CommandOutcome> {
  const before = session.seq;
  const { turnId } = await session.send({ kind: 'command', text: `/${line}`, origin });
  return new Promise((resolve, reject) => {
    const { ended } = session;
    if (ended.aborted) return reject(ended.reason);
    ended.addEventListener('abort', () => reject(ended.reason), { once: true });
    let text = '';
    let data: CommandOutcome['data'];
    const unsubscribe = session.subscribe((event: SessionEvent) => {
      if (event.turnId !== turnId) return;
      if (event.type === 'text') text += event.text;
      if (event.type === 'artifact') data = event.artifact.parts.find((part) => part.kind === 'data')?.data ?? data;
      if (event.type !== 'turn' || !isTurnEnd(event.state)) return;
      setImmediate(() => unsubscribe());
      if (event.state === 'completed') resolve({ text, ...(data ? { data } : {}) });
      else reject(new AppError('command-refused', event.error ?? `the command was ${event.state}`));
    }, before);
  });
}
