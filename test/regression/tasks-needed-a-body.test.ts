import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Node's own client: `fetch` sends headers of its own. */
function post(url: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

test('a task is made without a body, and not by a page or by what is no JSON', async () => {
  const { base } = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9' });
  const tasks = `${base}/tasks`;
  expect(await post(tasks)).toBe(201);
  expect(await post(tasks, { 'content-length': '0' })).toBe(201);
  expect(await post(tasks, { 'transfer-encoding': 'chunked' }, '{}')).toBe(415);
  expect(await post(tasks, { 'content-type': 'text/plain' }, '{}')).toBe(415);
  expect(await post(tasks, { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
  for (const page of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])
    expect([page, await post(tasks, page)]).toEqual([page, 403]);
  const listed = (await (await fetch(tasks)).json()) as { tasks: unknown[] };
  expect(listed.tasks).toHaveLength(2);
});
