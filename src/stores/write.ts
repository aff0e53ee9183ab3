import type { StoredTask } from './store.js';

/** One change. Made into text when it is asked for, so that what is stored is what was true then. */
export type Write =
  | {
      readonly type: 'event';
      readonly sessionId: string;
      readonly seq: number;
      readonly body: string;
      /** A piece of a reply that is being written: the next event that is none makes it lasting too. */
      readonly isPiece: boolean;
    }
  | { readonly type: 'task'; readonly task: StoredTask; readonly body: string }
  | { readonly type: 'checkpoint'; readonly taskId: string; readonly body: string }
  | {
      readonly type: 'artifact';
      readonly taskId: string;
      readonly name: string;
      readonly body: string;
      readonly content: Uint8Array;
    }
  | { readonly type: 'webhooks'; readonly taskId: string; readonly areOpen: boolean; readonly body: string }
  | { readonly type: 'delete'; readonly taskId: string }
  | { readonly type: 'claim'; readonly taskId: string; readonly from?: string }
  | { readonly type: 'release'; readonly taskId: string }
  | { readonly type: 'server'; readonly body: string }
  | { readonly type: 'delete-server'; readonly id: string };

export type EventWrite = Extract<Write, { type: 'event' }>;
export type OtherWrite = Exclude<Write, EventWrite>;

/** The task that must not be another server's when this is written. Events need no claim: no number is given twice. */
export function guardedTask(write: Write): string | undefined {
  switch (write.type) {
    case 'task':
      return write.task.id;
    case 'checkpoint':
    case 'artifact':
    case 'webhooks':
    case 'delete':
      return write.taskId;
    default:
      return undefined;
  }
}

/** Events that follow each other can be stored together; the order of everything stays. */
export function runsOf(batch: readonly Write[]): (EventWrite[] | OtherWrite)[] {
  const runs: (EventWrite[] | OtherWrite)[] = [];
  for (const write of batch) {
    const last = runs.at(-1);
    if (write.type !== 'event') runs.push(write);
    else if (Array.isArray(last)) last.push(write);
    else runs.push([write]);
  }
  return runs;
}
