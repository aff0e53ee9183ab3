import type { StoredTask } from './store.js';

/** One change. Made into text when it is asked for, so that what is stored is what was true then. */
export type Write =
  | { readonly type: 'event'; readonly sessionId: string; readonly seq: number; readonly body: string }
  | { readonly type: 'task'; readonly task: StoredTask; readonly body: string }
  | { readonly type: 'checkpoint'; readonly taskId: string; readonly body: string }
  | {
      readonly type: 'artifact';
      readonly taskId: string;
      readonly name: string;
      readonly body: string;
      readonly content: Uint8Array;
    }
  | { readonly type: 'delete'; readonly taskId: string };
