import * as z from 'zod';
import { isElsewhere, toAppError } from '../domain/errors.js';
import type { Registry } from '../tasks/registry.js';
import type { SessionWishes } from '../tasks/sessions.js';
import type { PeerFacts } from './cluster-status.js';
import { type Asked, type TaskReply, toRefused } from './message.js';

export type ServerOpsOptions = {
  readonly registry: Pick<Registry, 'adopt' | 'open'>;
  readonly facts: () => PeerFacts;
  /** Publishes what is stored: it must arrive before the reply. */
  readonly flush: () => void;
  readonly onError: (error: unknown) => void;
};

/** A server of ours wrote it. */
const wishes = z.custom<SessionWishes>();

/** Answers requests between servers that are not about a task in memory. Undefined for the others. */
export function serverOps({ registry, facts, flush, onError }: ServerOpsOptions) {
  const ops: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
    ping: async () => facts(),
    /** To continue a task that the sender gave to this server or cannot run. */
    take: ({ taskId }) => registry.adopt(taskId),
    /** To run a new task. The sender reads it from the store. */
    create: async ({ taskId, about }) =>
      (await registry.open(taskId, { ...wishes.parse(about), promptFollows: false })).id,
  };
  return async (asked: Asked): Promise<TaskReply | undefined> => {
    const op = Object.hasOwn(ops, asked.op) ? ops[asked.op] : undefined;
    if (!op) return undefined;
    try {
      const value = await op(asked);
      flush();
      return { is: 'done', value, seq: 0 };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'internal') onError(error.cause ?? error);
      return error.code === 'shutting-down' || isElsewhere(error) ? { is: 'moved' } : toRefused(error);
    }
  };
}
