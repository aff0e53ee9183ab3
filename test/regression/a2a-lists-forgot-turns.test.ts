import { expect, test } from 'vitest';
import type { EventBody } from '../../src/domain/events.js';
import { openStore } from '../../src/stores/open.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { useStorePlaces } from '../support/store-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const places = useStorePlaces();
const turnsPerTask = 700;

/** Two tasks of many short turns, as a server would have left them. */
async function fill(url: string): Promise<string[]> {
  const store = await openStore(url, { stateDir: '/nowhere', env: {} });
  const ids: string[] = [];
  for (const sessionId of ['one', 'two']) {
    const at = (turn: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, turn)).toISOString();
    const record = { id: sessionId, contextId: sessionId, workspace: '/', model: '', metadata: { title: 'hi' } };
    await store.saveTask({ ...record, state: 'completed', createdAt: at(0), updatedAt: at(turnsPerTask) });
    const events = Array.from({ length: turnsPerTask }, (_, turn) => {
      const bodies: EventBody[] = [
        { type: 'prompt', text: `question ${turn}`, origin: { surface: 'a2a' }, messageId: `${sessionId}-${turn}` },
        { type: 'turn', state: 'working' },
        { type: 'text', text: `answer ${turn}` },
        { type: 'turn', state: turn % 10 === 0 ? 'failed' : 'completed' },
      ];
      const turnId = `${sessionId}.turn-${turn}`;
      ids.push(turnId);
      return bodies.map((body, index) => ({ seq: turn * 4 + index + 1, at: at(turn), sessionId, turnId, ...body }));
    });
    await Promise.all(events.flat().map((event) => store.append(event)));
  }
  await store.close();
  return ids;
}

type Page = { tasks: { id: string; status: { state: string } }[]; totalSize: number; nextPageToken: string };

async function list(serve: ServeProcess, params: object): Promise<Page> {
  const request = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params };
  const response = await serve.post('', request, { 'a2a-version': '1.0' });
  return ((await response.json()) as { result: Page }).result;
}

test.each(places)('%s: A2A lists every turn of every task, with exact totals', async (_name, placeIn) => {
  const folder = temporaryFolder();
  const { url } = await placeIn(folder);
  const ids = await fill(url);
  const serve = await startServe({ folder, modelUrl: 'http://127.0.0.1:9', args: ['--store', url] });
  const listed: string[] = [];
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const page: Page = await list(serve, { pageSize: 100, pageToken, historyLength: 0 });
    expect(page.totalSize).toBe(ids.length);
    listed.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken;
  }
  expect(listed.toSorted()).toEqual(ids.toSorted());
  const failed = await list(serve, { contextId: 'two', status: 'TASK_STATE_FAILED', pageSize: 100 });
  expect([failed.totalSize, failed.tasks.length]).toEqual([70, 70]);
  expect(failed.tasks.at(-1)).toMatchObject({ id: 'two.turn-0', history: [{ parts: [{ text: 'question 0' }] }, {}] });
  expect((await list(serve, { contextId: 'three' })).totalSize).toBe(0);
});
