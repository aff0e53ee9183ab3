import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import { call, say } from '../../src/demo/reply.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient, type WireEvent } from '../support/wire-client.js';

const mebibyte = 1024 * 1024;
const answer = 'answer '.repeat((10 * mebibyte) / 7);
const file = 'line of a file\n'.repeat((5 * mebibyte) / 15);

const model = await startModelServer((request) => {
  if (lastToolResult(request)) return { chunks: [[say('Written.')]] };
  const isFile = lastPrompt(request).includes('write');
  const large = isFile ? call('write_file', { file_path: 'large.txt', content: file }) : say(answer);
  return { chunks: [[say('Here it comes: ')], [large]] };
});
afterAll(() => model.close());
const folder = temporaryFolder();
const serve = await startServe({ folder, modelUrl: model.url }, 'file');

test('a chunk of 10 MB is sent cut, with the way to the whole, and closes no socket', async () => {
  const watchers = await watch('text');
  const [first] = watchers;
  await first?.prompt('say much');
  for (const watcher of watchers) {
    await ended(watcher);
    const { text } = (await watcher.find(isCut))['content'] as { text: string };
    expect(text.length).toBeLessThan(mebibyte);
    expect(answer.startsWith(text.slice(0, 100_000))).toBe(true);
    const whole = await wholeAt(text);
    expect(whole).toMatchObject({ kind: 'TEXT_CONTENT', content: { text: answer } });
    expect(watcher.socket.readyState).toBe(watcher.socket.OPEN);
  }
});

test('a file of 5 MB can be asked about, also of those who come later, and is written whole', async () => {
  const [first, second] = await watch('file');
  await first?.prompt('write much');
  const question = await first?.pending();
  await second?.pending();
  const late = await WireClient.connect(`${serve.base.replace('http', 'ws')}/ws?taskId=file`);
  const { pending } = (await late.kind('SNAPSHOT')) as unknown as { pending: readonly WireEvent[] };
  expect(pending).toMatchObject([{ tool_call_id: question?.['tool_call_id'] }]);
  expect(JSON.stringify(pending).length).toBeLessThan(2 * mebibyte);
  const whole = await wholeAt(JSON.stringify(pending));
  expect(whole).toMatchObject({ kind: 'TOOL_CALL_UPDATE', input_parameters: { content: file } });

  await late.answer(question?.['tool_call_id'], 'proceed_once');
  for (const watcher of [first, second, late].flatMap((client) => client ?? [])) {
    await ended(watcher);
    expect(watcher.socket.readyState).toBe(watcher.socket.OPEN);
  }
  const written = await fetch(`${serve.base}/tasks/file/artifacts/large.txt`);
  expect((await written.text()) === file).toBe(true);
});

test('a number that no event has is not found', async () => {
  await serve.post('tasks', { contextId: 'empty' });
  for (const seq of ['0', '7', 'x'])
    expect(await fetch(`${serve.base}/tasks/empty/events/${seq}`)).toMatchObject({ status: 404 });
});

/** The last one: it stops the server. */
test('who reads a task sees the same cut text after a restart as before', async () => {
  const [watcher] = await watch('read');
  await watcher?.prompt('say much');
  if (watcher) await ended(watcher);
  const before = await historyOf(serve, 'read');
  expect(before).toContain('[cut: ');
  serve.kill('SIGTERM');
  await serve.exit;
  const next = await startServe({ folder, modelUrl: model.url });
  expect((await historyOf(next, 'read')) === before).toBe(true);
});

async function watch(contextId: string): Promise<WireClient[]> {
  await serve.post('tasks', { contextId });
  const url = `${serve.base.replace('http', 'ws')}/ws?taskId=${contextId}`;
  return Promise.all([WireClient.connect(url), WireClient.connect(url)]);
}

async function historyOf({ base }: ServeProcess, taskId: string): Promise<string> {
  const { history } = (await (await fetch(`${base}/tasks/${taskId}`)).json()) as { history: unknown };
  return JSON.stringify(history);
}

/** However the turn ends: core refuses to go on with so much in the conversation. */
function ended(watcher: WireClient): Promise<WireEvent> {
  return watcher.find((event) => event['final'] === true);
}

function isCut(event: WireEvent): boolean {
  return event.kind === 'TEXT_CONTENT' && JSON.stringify(event).includes('[cut: ');
}

/** The event that the note in a cut text names. */
async function wholeAt(text: string): Promise<unknown> {
  const path = /the whole is at (\S+?)\]/.exec(text)?.[1] ?? '';
  return (await fetch(`${serve.base}${path}`)).json();
}
