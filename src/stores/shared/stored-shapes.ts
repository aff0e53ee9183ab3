import * as z from 'zod';
import type { SessionEvent } from '../../domain/events.js';
import type { Turn } from '../../domain/turn.js';
import type { StoredArtifact, StoredServer, StoredTask } from '../store.js';
import type { Json } from '../../domain/json.js';

/**
 * These functions read back what we wrote ourselves. They check only the fields that a store needs: fully validating every
 * event would cost more than reading it.
 */
export function readEvent(text: string): SessionEvent {
  return eventShape.parse(JSON.parse(text));
}

export function readTask(text: string): StoredTask {
  return taskShape.parse(JSON.parse(text));
}

export function readServer(text: string): Omit<StoredServer, 'leftMs'> {
  return serverShape.parse(JSON.parse(text));
}

export function readArtifact(text: string): StoredArtifact {
  return artifactShape.parse(JSON.parse(text));
}

export function readArtifacts(text: string): StoredArtifact[] {
  return z.array(artifactShape).parse(JSON.parse(text));
}

export function readTurns(text: string): Turn[] {
  return z.array(turnShape).parse(JSON.parse(text));
}

export function readJson(text: string): Json {
  return z.custom<Json>().parse(JSON.parse(text));
}

const eventShape = z.custom<SessionEvent>((value) => has(value, 'seq', 'type'), 'not an event');
const taskShape = z.custom<StoredTask>((value) => has(value, 'id', 'updatedAt'), 'not a task');
const serverShape = z.custom<Omit<StoredServer, 'leftMs'>>((value) => has(value, 'id'), 'not a server');
const artifactShape = z.custom<StoredArtifact>((value) => has(value, 'name', 'size'), 'not an artifact');

const turnShape = z.custom<Turn>((value) => has(value, 'id', 'first', 'last'), 'not a turn');

function has(value: unknown, ...keys: string[]): boolean {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value);
}
