import type { Told } from './told.js';

/** What may have just happened when a server dies: between each of them and the next thing it does lies something to lose. */
export const moments = [
  'prompt accepted',
  'question open',
  'answer accepted',
  'answer repeated',
  'tool running',
  'tool done',
  'speaking',
  'speaking in a long task',
  'turn over',
  'cancel accepted',
  'webhook registered',
  'webhook called',
  'task opened again',
  'task deleted',
  'store away',
] as const;

export type Moment = (typeof moments)[number];

/** What an event of a task says; replies are known by who asked. */
export function momentOf({ kind, status, final, confirmation_request: question }: Told): Moment | undefined {
  if (kind === 'TEXT_CONTENT') return 'speaking';
  if (kind === 'STATE_CHANGE' && final === true) return 'turn over';
  if (kind !== 'TOOL_CALL_UPDATE') return undefined;
  if (question !== undefined) return 'question open';
  if (status === 'EXECUTING') return 'tool running';
  return status === 'SUCCEEDED' ? 'tool done' : undefined;
}
