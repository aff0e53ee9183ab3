import { expect, test } from 'vitest';
import type { LivePeer } from '../../src/cluster/live-peers.js';
import { Placement } from '../../src/cluster/placement.js';
import { taskOf } from '../stores/samples.js';

const peer = (id: string, facts: Partial<LivePeer> = {}): LivePeer => ({
  id,
  version: '0.0.0',
  loaded: 0,
  running: 0,
  queued: 0,
  mirrors: 0,
  clients: 0,
  speaks: 2,
  isDraining: false,
  pinnedRoots: [],
  ...facts,
});

function placementOf(own: LivePeer, ...others: readonly LivePeer[]): Placement {
  const peers = { some: async (count: number) => others.slice(0, count), all: async () => others };
  return new Placement({ peers, own: () => own });
}

test('a new task stays here unless one of two others has clearly less to do', async () => {
  const placed = (running: number, ...others: readonly number[]) =>
    placementOf(peer('self', { running }), ...others.map((load, i) => peer(`o${i}`, { running: load }))).forNew(
      undefined,
    );
  expect(await placed(9)).toBe('self');
  expect(await placed(2, 0, 0)).toBe('self');
  expect(await placed(12, 10, 30)).toBe('self');
  expect(await placed(20, 15, 10)).toBe('o1');
  expect(await placed(20, 19, 18, 0)).toBe('self');
});

test('no task is placed on a server that stops, or on one that is too old to take it', async () => {
  const busy = peer('self', { running: 20 });
  expect(await placementOf(busy, peer('a', { isDraining: true }), peer('b', { speaks: 1 })).forNew(undefined)).toBe(
    'self',
  );
  const leaving = placementOf(
    peer('self', { isDraining: true }),
    peer('a', { isDraining: true }),
    peer('b', { speaks: 1 }),
    peer('c', { running: 99 }),
  );
  expect(await leaving.forNew(undefined)).toBe('c');
  expect(await leaving.forKnown(taskOf('t'))).toBe('c');
  const alone = placementOf(peer('self', { isDraining: true }), peer('b', { speaks: 1 }));
  await expect(alone.forNew(undefined)).rejects.toMatchObject({ code: 'shutting-down' });
  await expect(alone.forKnown(taskOf('t'))).rejects.toMatchObject({ code: 'shutting-down' });
});

test('a workspace that some servers have is placed on them', async () => {
  const pinnedRoots = [{ label: 'fast', folder: '/fast' }];
  const placement = placementOf(peer('self'), peer('a'), peer('b'), peer('c', { pinnedRoots, running: 50 }));
  expect(await placement.forNew('/fast/one')).toBe('c');
  expect(await placement.forNew('/faster')).toBe('self');
  const pinned = taskOf('t', { metadata: { workspaceLabel: 'fast' } });
  expect(await placement.forKnown(pinned)).toBe('c');
  expect(await placement.forKnown(taskOf('t'))).toBe('self');
  expect(await placementOf(peer('self', { pinnedRoots, running: 99 }), peer('a')).forNew('/fast/one')).toBe('self');
  await expect(placementOf(peer('self'), peer('a')).forKnown(pinned)).rejects.toMatchObject({
    code: 'workspace-away',
    details: { label: 'fast' },
  });
});

test('the servers agree on who continues which task, and all get some; when one leaves, only its tasks move', async () => {
  const all = ['a', 'b', 'c'].map((id) => peer(id));
  const tasks = Array.from({ length: 300 }, (_, i) => taskOf(`task ${i}`));
  const seenFrom = async (servers: readonly LivePeer[], id: string) => {
    const [own = peer(id)] = servers.filter((server) => server.id === id);
    const heirOf = await placementOf(own, ...servers.filter((server) => server !== own)).heirs();
    return tasks.map(heirOf);
  };
  const [a, b] = [await seenFrom(all, 'a'), await seenFrom(all, 'b')];
  expect(a).toEqual(b);
  for (const id of ['a', 'b', 'c']) expect(a.filter((heir) => heir === id).length).toBeGreaterThan(60);
  const without = await seenFrom(all.slice(0, 2), 'a');
  expect(without.filter((heir, i) => a[i] !== 'c' && heir !== a[i])).toEqual([]);
});
