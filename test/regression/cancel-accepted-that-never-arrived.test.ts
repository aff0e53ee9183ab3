import { expect, test } from 'vitest';
import { NoAnswer } from '../../src/cluster/bus/bus.js';
import { ClusterCounts } from '../../src/cluster/cluster-counts.js';
import { toRefused } from '../../src/cluster/message.js';
import { TaskRelay } from '../../src/cluster/task-relay.js';
import { AppError } from '../../src/domain/errors.js';
import type { TurnState } from '../../src/domain/events.js';

/** The server that runs the task is killed before it answers; the one that recovers the task has nothing to cancel. */
function relayAfterACrash(state: TurnState): TaskRelay {
  const replies = [
    () => Promise.reject(new NoAnswer()),
    () => Promise.resolve(JSON.stringify(toRefused(new AppError('not-cancelable', 'not running')))),
  ];
  return new TaskRelay({
    registry: { loaded: async () => undefined, get: async () => undefined },
    store: {
      server: 'here',
      holder: async () => ({ server: 'there', epoch: 1 }),
      task: async () => undefined,
      turn: async (_task, id) => ({ id, state, at: '', first: 1, last: 2 }),
    },
    placeFor: async () => 'there',
    bus: { request: async () => (replies.shift() ?? (() => Promise.reject(new NoAnswer())))() },
    flush: () => {},
    counts: new ClusterCounts(),
    onError: () => {},
  });
}

const cancel = { by: { surface: 'a2a' }, turnId: 'turn-1' };

test('a cancel that is repeated after a crash is accepted if the turn ended as canceled', async () => {
  expect(await relayAfterACrash('canceled').ask('task', 'cancel', cancel)).toBeUndefined();
});

test('and refused if the turn ended by itself: the first attempt never arrived', async () => {
  await expect(relayAfterACrash('failed').ask('task', 'cancel', cancel)).rejects.toMatchObject({
    code: 'not-cancelable',
  });
});
