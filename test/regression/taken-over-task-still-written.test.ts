import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { openStore } from '../../src/stores/open.js';
import { eventOf } from '../stores/samples.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { usePostgres } from '../support/use-postgres.js';

const database = usePostgres();

const places: readonly (readonly [string, (folder: string) => string | Promise<string>])[] = [
  ['sqlite', (folder) => `sqlite:${join(folder, 'tasks.db')}`],
  ['postgres', () => database.server.newPlace()],
];

test.each(places)(
  '%s: a server whose task was taken over in the middle of a reply stores no more of it',
  async (_, place) => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const model = await startModelServer(
      scriptOf({ speak: { chunks: [[say('begun')], [say('late')]], holdLast: held } }),
    );
    const folder = temporaryFolder();
    const url = await place(folder);
    const served = await startServe({ folder, modelUrl: model.url, args: ['--store', url] });
    await served.post('tasks', { contextId: 'one' });
    const events = served.post('tasks/one/execute', { message: 'speak' }).then(eventsOf);
    const other = await openStore(url, { stateDir: '/nowhere', env: {}, server: 'other' });
    await until(async () => JSON.stringify(await other.read('one', 0, 100)).includes('begun'));

    const holder = await other.holder('one');
    expect(await other.claim('one', holder?.server)).toBeGreaterThan(holder?.epoch ?? Infinity);
    const log = await other.read('one', 0, 100);
    goOn();
    expect((await events).at(-1)?.data).toMatchObject({ error: expect.stringContaining('another server') as string });
    expect(await served.logged('task lost')).toMatchObject({ taskId: 'one' });
    expect(await other.read('one', 0, 100)).toEqual(log);
    const next = eventOf('one', log.length + 1);
    await other.append(next);
    expect(await other.read('one', log.length, 100)).toEqual([next]);
    expect((await fetch(`${served.base}/ready`)).status).toBe(200);
    await other.close();
    await model.close();
  },
);
