import type { SessionEvent } from '../../src/domain/events.js';
import type { StoredArtifact, StoredTask } from '../../src/stores/store.js';

export function eventOf(sessionId: string, seq: number): SessionEvent {
  return longEvent(sessionId, seq, `event ${seq} „ü“`);
}

export function longEvent(sessionId: string, seq: number, text: string): SessionEvent {
  return { type: 'text', text, seq, at: '2026-01-01T00:00:00.000Z', sessionId, turnId: 'turn-1' };
}

export function taskOf(
  id: string,
  { minute = 0, ...rest }: Partial<StoredTask> & { minute?: number } = {},
): StoredTask {
  return {
    id,
    contextId: 'context',
    state: 'working',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    workspace: 'project',
    model: 'gemini',
    metadata: {},
    ...rest,
  };
}

export function artifactOf(name: string, size: number): StoredArtifact {
  return { name, mediaType: 'application/octet-stream', size, createdAt: '2026-01-01T00:00:00.000Z' };
}
