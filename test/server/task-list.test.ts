import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { memoryStore } from '../../src/stores/memory.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { serveRegistry } from '../support/served-registry.js';
import { readUntil, type StreamedEvent } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const store = memoryStore();
const workspace = temporaryFolder();
const tokens: Record<string, string> = {};
let served: Awaited<ReturnType<typeof serveRegistry>>;

beforeAll(async () => {
  const folder = new TokenFolder(temporaryFolder());
  for (const name of ['ada', 'bob']) tokens[name] = await folder.create({ name, scopes: ['prompt', 'approve'] });
  tokens['root'] = await folder.create({ name: 'root', scopes: ['admin'] });
  const settings = { requireToken: true, auth: { authenticators: [folder] }, arePrivate: true };
  served = await serveRegistry({ workspace, store }, settings);
});
afterAll(() => served.stop());

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

const get = (name: string, path: string): Promise<Response> =>
  fetch(`${served.server.url}${path}`, { headers: { authorization: `Bearer ${tokens[name]}` } });

async function rows(name: string): Promise<readonly Row[]> {
  return ((await (await get(name, 'tasks')).json()) as { tasks: Row[] }).tasks;
}

const row = async (id: string, name = 'root'): Promise<Row | undefined> =>
  (await rows(name)).find((found) => found.id === id);

async function pendingOf(id: string): Promise<readonly unknown[]> {
  return ((await row(id))?.['pending'] ?? []) as readonly unknown[];
}

async function open(id: string, owner: string, text: string) {
  const session = await served.registry.open(id, { owner: `token:${owner}` });
  session.submit({ kind: 'prompt', text, origin: { surface: 'a2a' } });
  await session.stored();
  return { session, engine: served.engine(id) };
}

describe('a row of the list', () => {
  test('says what a task is about, what was said last and what it asks, also when the task is not in memory', async () => {
    const { session, engine } = await open('about', 'ada', `Fix\n  the build ${'x'.repeat(100)}`);
    expect(await row('about')).toMatchObject({ title: `Fix the build ${'x'.repeat(65)}…`, pending: [] });
    engine.say('I will look.\n\n');
    engine.say(`It is broken. ${'y'.repeat(200)}`);
    engine.report({ type: 'tool', call: { ...waitingShell(), description: 'Removes the build' } });
    engine.report({ type: 'tool', call: waitingEdit() });
    await session.stored();
    const asked = {
      state: 'input-required',
      owner: 'token:ada',
      workspace: expect.any(String) as string,
      last: `I will look. It is broken. ${'y'.repeat(112)}…`,
      pending: [
        {
          id: 'call-1',
          title: 'Removes the build',
          kind: 'execute',
          command: 'rm -rf build',
          options: [{ id: 'proceed_once', name: 'Allow once' }, { id: 'proceed_always' }, { id: 'cancel' }],
        },
        { id: 'edit-1', title: 'write_file', kind: 'edit', file: '/project/a.txt' },
      ],
    };
    await until(async () => (await pendingOf('about')).length === 2);
    expect(await row('about')).toMatchObject(asked);

    session.answer('call-1', { optionId: 'proceed_once' }, { surface: 'a2a' });
    await until(async () => (await pendingOf('about')).length === 1);
    session.answer('edit-1', { optionId: 'cancel' }, { surface: 'a2a' });
    engine.say('Done.');
    engine.end();
    await session.stored();
    await until(async () => (await row('about'))?.['state'] === 'completed');
    expect(await row('about')).toMatchObject({ last: 'Done.', pending: [] });
  });

  test('a command that is too long to decide on in a list is not in it', async () => {
    const { session, engine } = await open('long', 'ada', 'go');
    const call = waitingShell();
    const details = { kind: 'execute', command: 'x'.repeat(2001) } as const;
    engine.report({ type: 'tool', call: { ...call, approval: { ...call.approval, details } } });
    await session.stored();
    const [question] = await until(async () => {
      const pending = await pendingOf('long');
      return pending.length > 0 ? pending : undefined;
    });
    expect(question).toEqual(expect.not.objectContaining({ command: expect.anything() as string }));
  });
});

describe('the stream of changes', () => {
  /** What a principal gets until a task is removed. The stream is open when this returns. */
  async function follow(name: string, last: string): Promise<{ readonly seen: Promise<StreamedEvent[]> }> {
    const response = await get(name, 'tasks/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    return { seen: readUntil(response, ({ event, data }) => event === 'removed' && data['id'] === last) };
  }

  test('has changed rows and deleted tasks, only those that the caller may see, and many changes as one', async () => {
    const [ada, root] = [await follow('ada', 'ada-1'), await follow('root', 'ada-1')];
    const isDone = ({ event, data }: StreamedEvent): boolean => event === 'row' && data['state'] === 'completed';
    const done = readUntil(await get('ada', 'tasks/events'), isDone);
    const bobs = await open('bob-1', 'bob', 'secret');
    const { session, engine } = await open('ada-1', 'ada', 'hello');
    for (let i = 0; i < 50; i++) engine.report({ type: 'tool', call: waitingShell(`call-${i}`) });
    engine.say('Hi.');
    engine.end();
    bobs.engine.end();
    await session.stored();
    await until(async () => (await row('ada-1'))?.['state'] === 'completed');
    // Changes are gathered for a moment, and those of a deleted task are not sent any more.
    await done;
    for (const id of ['bob-1', 'ada-1']) await served.registry.remove(id);
    const [own, all] = [await ada.seen, await root.seen];
    expect(new Set(own.map(({ data }) => data['id']))).toEqual(new Set(['ada-1']));
    expect(new Set(all.map(({ data }) => data['id']))).toEqual(new Set(['ada-1', 'bob-1']));
    expect(all).toContainEqual({ event: 'removed', data: { id: 'bob-1' } });
    const changes = own.filter(({ event }) => event === 'row');
    expect(changes.at(-1)?.data).toMatchObject({ title: 'hello', last: 'Hi.', state: 'completed', pending: [] });
    // More than a hundred changes of the record, most within the same moment.
    expect(changes.length).toBeLessThan(40);
  });

  test('is refused when too many follow it, and a reader that leaves makes room', async () => {
    const streams = await Promise.all(Array.from({ length: 256 }, () => get('root', 'tasks/events')));
    const refused = await get('root', 'tasks/events');
    expect(refused.status).toBe(503);
    for (const stream of streams) await stream.body?.cancel();
    await until(async () => {
      const again = await get('root', 'tasks/events');
      await again.body?.cancel();
      return again.status === 200;
    });
  });
});
