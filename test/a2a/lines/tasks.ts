import { expect } from 'vitest';
import { type Json, nextId, type Page, type Seen, type Transport } from '../../support/a2a/transport.js';
import { codeOn, failure, later } from '../../support/checklist.js';
import type { Line } from './line.js';

/** v0.3 has no operation to list tasks. */
const notInOld = { 'JSON-RPC v0.3': noList(), 'HTTP+JSON v0.3': noList(), 'gRPC v0.3': noList() };

function noList(): string {
  return 'v0.3 has no ListTasks';
}

function list(on: Transport, params: Json): Promise<Page> {
  if (!on.list) throw new Error('this transport cannot list tasks');
  return on.list(params);
}

/** A context with this many finished tasks. */
async function fill(on: Transport, tasks: number): Promise<string> {
  const contextId = `list-${nextId()}`;
  for (let n = 0; n < tasks; n++) await on.send({ text: `hello ${n}`, contextId });
  return contextId;
}

export const taskLines: readonly Line[] = [
  {
    section: '3.1.3, 3.2.4',
    says: 'historyLength: unset means all, 0 none, n at most n',
    not: { 'gRPC v0.3': 'its protocol buffer cannot tell 0 from unset; both mean none, as in the SDK' },
    async check(on) {
      const { id = '' } = await on.send({ text: 'hello' });
      const length = async (n?: number): Promise<number> => (await on.get(id, n)).history;
      expect([await length(), await length(0), await length(1), await length(9)]).toEqual([2, 0, 1, 2]);
    },
  },
  {
    section: '3.1.4',
    says: 'pages of tasks are complete, newest first, and the last has an empty token',
    not: notInOld,
    async check(on) {
      const contextId = await fill(on, 5);
      const seen: Seen[] = [];
      let pageToken = '';
      do {
        const page = await list(on, { contextId, pageSize: 2, pageToken });
        expect([page.totalSize, page.pageSize]).toEqual([5, 2]);
        seen.push(...page.tasks);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
      const times = seen.map(({ at = '' }) => at);
      expect(times).toEqual(times.toSorted().toReversed());
    },
  },
  {
    section: '3.1.4',
    says: 'listed tasks have artifacts only when asked for; filters by context, status and time',
    not: notInOld,
    async check(on) {
      const contextId = await fill(on, 1);
      expect((await list(on, { contextId })).tasks.map(({ artifacts }) => artifacts)).toEqual([0]);
      expect((await list(on, { contextId, includeArtifacts: true })).tasks.map(({ artifacts }) => artifacts)).toEqual([
        1,
      ]);
      for (const none of [{ status: 'TASK_STATE_WORKING' }, { statusTimestampAfter: '2999-01-01T00:00:00Z' }])
        expect((await list(on, { contextId, ...none })).totalSize).toBe(0);
    },
  },
  {
    section: '3.1.4',
    says: 'a wrong page size, token, status or time is malformed',
    not: notInOld,
    async check(on) {
      const wrong: Json[] = [{ pageSize: 0 }, { pageSize: 101 }, { pageToken: 'abc' }, { historyLength: -1 }];
      for (const params of wrong)
        expect([params, (await failure(list(on, params))).code]).toEqual([params, codeOn(on.name, 'malformed')]);
    },
  },
  {
    section: '3.1.5',
    says: 'a running task can be cancelled, a finished one cannot; cancelling twice is fine in v1.0 and an error in v0.3',
    async check(on) {
      const { id = '' } = await on.send({ text: 'hold' }, later);
      expect((await on.cancel(id)).state).toBe('canceled');
      const again = on.cancel(id);
      if (on.name.endsWith('v1.0')) expect((await again).state).toBe('canceled');
      else expect((await failure(again)).code).toBe(codeOn(on.name, 'notCancelable'));
      const { id: done = '' } = await on.send({ text: 'hello' });
      expect((await failure(on.cancel(done))).code).toBe(codeOn(on.name, 'notCancelable'));
    },
  },
  {
    section: '9.5, 10.6, 11.6',
    says: 'errors carry ErrorInfo with a reason and the domain; v0.3 errors have the codes of v0.3',
    async check(on) {
      const error = await failure(on.get('none'));
      expect(error.code).toBe(codeOn(on.name, 'notFound'));
      if (on.name === 'JSON-RPC v0.3' || on.name === 'HTTP+JSON v0.3') expect(error.body['code']).toBe(-32001);
      if (on.name.endsWith('v1.0'))
        for (const part of ['google.rpc.ErrorInfo', 'TASK_NOT_FOUND', 'a2a-protocol.org'])
          expect(error.message).toContain(part);
    },
  },
];
