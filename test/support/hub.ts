import type { SessionEvent } from '../../src/domain/events.js';
import { Session } from '../../src/session/session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import { memoryStore } from '../../src/stores/memory.js';
import { ManualEngine } from './manual-engine.js';

/** A session on a manual engine, with everything it published. */
export function openHub(options: Partial<SessionOptions> = {}) {
  const engine = new ManualEngine();
  const session = new Session({
    id: 'session-1',
    engine,
    store: memoryStore(),
    engineOrigin: { surface: 'tui' },
    ...options,
  });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { engine, session, events };
}

export const alice = { surface: 'a2a', client: 'alice' } as const;
export const bob = { surface: 'a2a', client: 'bob' } as const;
export const tui = { surface: 'tui' } as const;

export function prompt(text: string, origin: { surface: 'a2a' | 'tui'; client?: string; principal?: string } = alice) {
  return { kind: 'prompt', text, origin } as const;
}
