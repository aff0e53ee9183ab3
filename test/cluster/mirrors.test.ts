import { afterEach, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { Session } from '../../src/session/session.js';
import type { SessionPort } from '../../src/session/session-port.js';
import { type ClusterMember, clusterRegistries } from '../support/clustered-registries.js';
import { alice, bob, prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { until } from '../support/until.js';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

/** Two servers; the first runs the task, and the second mirrors it. */
async function openPair(loses?: (taskId: string) => boolean) {
  const cluster = await clusterRegistries(2, loses);
  close = () => cluster.close();
  const [owner, other] = cluster.members as [ClusterMember, ClusterMember];
  const session = await owner.tasks.open('task');
  const mirror = await sessionAt(other);
  expect([session instanceof Session, mirror instanceof Session]).toEqual([true, false]);
  return { owner, other, session, mirror, engine: owner.engine('task') };
}

async function sessionAt({ tasks }: ClusterMember): Promise<SessionPort> {
  const found = await tasks.get('task');
  if (!found) throw new Error('there is no task');
  return found;
}

function collect(session: SessionPort): SessionEvent[] {
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event), 0);
  return events;
}

test('a mirror shows the same session: events, state, questions, queue, commands', async () => {
  const { session, mirror, engine } = await openPair();
  const [here, there] = [collect(session), collect(mirror)];
  await session.send(prompt('work', alice));
  engine.report({ type: 'tool', call: waitingShell() });
  const queued = await mirror.send(prompt('and then this', bob));
  expect(queued).toMatchObject({ position: 1 });
  await until(() => there.length === here.length);
  expect(there).toEqual(here);
  expect(mirror.snapshot).toEqual(session.snapshot);
  expect([mirror.state, mirror.queued, mirror.commands]).toEqual(['input-required', 1, session.commands]);
});

test('what a client does at a mirror is known there once it is accepted', async () => {
  const { session, mirror, engine } = await openPair();
  const { turnId } = await mirror.send(prompt('work', bob));
  expect(mirror.happenedAfter(0).map(({ turnId: id, type }) => [id, type])).toContainEqual([turnId, 'prompt']);
  engine.report({ type: 'tool', call: waitingShell() });
  await session.stored();
  await mirror.refresh();
  expect(mirror.snapshot.pending).toMatchObject([{ id: 'call-1' }]);
  await mirror.sendAnswer('call-1', { optionId: 'proceed_once' }, bob);
  expect(mirror.answerTo('call-1')).toMatchObject({ resolution: { optionId: 'proceed_once', by: bob } });
  await mirror.sendCancel(bob);
  expect(engine.cancels).toBe(1);
});

test('the first answer wins, whoever is asked, and the others learn who was first', async () => {
  const { session, mirror, engine } = await openPair();
  await session.send(prompt('work'));
  engine.report({ type: 'tool', call: waitingShell() });
  await session.stored();
  await mirror.refresh();
  const answers = await Promise.allSettled([
    mirror.sendAnswer('call-1', { optionId: 'cancel' }, bob),
    session.sendAnswer('call-1', { optionId: 'proceed_once' }, alice),
    mirror.sendAnswer('call-1', { optionId: 'proceed_always' }, bob),
  ]);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const first = session.answerTo('call-1')?.resolution;
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'already-answered', details: { resolvedBy: first?.by } });
});

test('a bus that loses two messages of three loses nothing', async () => {
  let count = 0;
  const { session, mirror, engine, other } = await openPair(() => ++count % 3 !== 0);
  const [here, there] = [collect(session), collect(mirror)];
  for (const word of ['one', 'two', 'three', 'four', 'five']) {
    await session.send(prompt(word));
    engine.say(`${word}!`);
    await session.stored();
    engine.end();
    await session.stored();
  }
  await until(() => there.length === here.length);
  expect(there).toEqual(here);
  const { counts } = other.figures();
  expect(counts.gaps + counts.lateNews).toBeGreaterThan(0);
});

test('a task that its server unloads continues where it is next asked for, and mirrors go on', async () => {
  const { owner, other, mirror } = await openPair();
  const there = collect(mirror);
  await owner.stop();
  const { turnId } = await mirror.send(prompt('still there?', bob));
  expect((await other.store.holder('task'))?.server).toBe('server-2');
  expect((await sessionAt(other)) instanceof Session).toBe(true);
  other.engine('task').say('yes');
  other.engine('task').end();
  await until(() => there.some((event) => event.type === 'turn' && event.state === 'completed'));
  expect(there.filter((event) => event.turnId === turnId).map(({ type }) => type)).toContain('text');
  expect(there.map(({ seq }) => seq)).toEqual(there.map((_, index) => index + 1));
});

test('a server that no longer holds the claim refuses nothing in its own name, and passes requests on', async () => {
  const { other, session, engine } = await openPair();
  await session.send(prompt('work'));
  engine.report({ type: 'tool', call: waitingShell() });
  await session.sendAnswer('call-1', { optionId: 'proceed_once' }, alice);
  // Somebody has taken it over meanwhile; what is known here is old.
  await other.store.claim('task', 'server-1');
  expect((await other.registry.get('task')) instanceof Session).toBe(true);
  other.engine('task').report({ type: 'tool', call: waitingShell('call-2') });
  expect(await session.sendAnswer('call-2', { optionId: 'cancel' }, bob)).toMatchObject({ callId: 'call-2' });
  await expect(session.sendAnswer('call-1', { optionId: 'cancel' }, bob)).rejects.toMatchObject({
    code: 'already-answered',
    details: { resolvedBy: alice },
  });
  const { turnId } = await session.send(prompt('and then this', bob));
  expect((await sessionAt(other)).snapshot.queue).toMatchObject([{ turnId, text: 'and then this' }]);
  await session.sendCancel(bob, turnId);
  expect((await sessionAt(other)).queued).toBe(0);
});

test('a deleted task ends at its mirrors, even if nobody says so', async () => {
  const { owner, session, mirror, other } = await openPair();
  await session.send(prompt('work'));
  await mirror.refresh();
  mirror.subscribe(() => {});
  await owner.store.deleteTask('task');
  await until(() => mirror.ended.aborted);
  expect(mirror.ended.reason).toMatchObject({ code: 'unknown-task' });
  expect(await other.tasks.get('task')).toBeUndefined();
});
