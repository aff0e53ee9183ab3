import { expect, onTestFinished, test, vi } from 'vitest';
import { ClusterRooms } from '../../src/cluster/cluster-rooms.js';
import type { ClientList } from '../../src/domain/client.js';
import { MemoryBus } from '../support/memory-bus.js';

/** Somebody at each of these servers, in one task. */
async function meet(servers: readonly string[], loses: () => boolean = () => false) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bus = new MemoryBus(loses);
  const onError = (error: unknown): never => {
    throw error;
  };
  const members = servers.map((server) => {
    const rooms = new ClusterRooms({ bus: bus.join(server), server, onError });
    onTestFinished(() => rooms.close());
    const clients = [{ name: server, surface: 'web', since: '2026-01-01T00:00:00.000Z' } as const];
    let others: readonly ClientList[] = [];
    const room = rooms.enter('task', { own: () => ({ clients }), onOthers: (lists) => void (others = lists) });
    const seen = (): string[] => others.flatMap((list) => list.clients.map(({ name }) => name)).toSorted();
    return { rooms, room, seen };
  });
  await vi.advanceTimersByTimeAsync(0);
  return members;
}

test('everybody sees who is elsewhere, until they leave or their server is gone', async () => {
  const [a, b, c] = await meet(['a', 'b', 'c']);
  expect([a?.seen(), b?.seen(), c?.seen()]).toEqual([
    ['b', 'c'],
    ['a', 'c'],
    ['a', 'b'],
  ]);
  b?.room.leave();
  expect([a?.seen(), c?.seen()]).toEqual([['c'], ['a']]);
  a?.rooms.forget('c');
  expect(a?.seen()).toEqual([]);
});

test('what is lost comes again, and one that is silent for long is left out', async () => {
  let isCut = true;
  const [a, b] = await meet(['a', 'b'], () => isCut);
  expect(a?.seen()).toEqual([]);
  isCut = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect([a?.seen(), b?.seen()]).toEqual([['b'], ['a']]);
  b?.rooms.close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(a?.seen()).toEqual([]);
});
