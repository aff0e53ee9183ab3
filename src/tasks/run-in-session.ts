import { AppError } from '../domain/errors.js';
import { isTurnEnd, type Origin, type SessionEvent } from '../domain/events.js';
import type { CommandOutcome } from '../engine/task-engine.js';
import type { Session } from '../session/session.js';

/** Runs a slash command in a session, where everyone sees it, and waits until it ends. */
export function runInSession(
  session: Session,
  line: string,
  origin: Origin = { surface: 'a2a' },
): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    const before = session.seq;
    const { turnId } = session.submit({ kind: 'command', text: `/${line}`, origin });
    session.ended.addEventListener('abort', () => reject(session.ended.reason), { once: true });
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
