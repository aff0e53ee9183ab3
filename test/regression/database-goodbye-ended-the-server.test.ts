import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { usePostgres } from '../support/use-postgres.js';

const database = usePostgres();

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** What a database says to those who are connected when it is stopped. */
function goodbye(): Buffer {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}

test('a database that says goodbye in the packet in which it says hello ends no server', async () => {
  // The first connection only: with the packet that makes it ready comes the end.
  let isFirst = true;
  const proxy = createServer((client) => {
    const upstream = connect(database.server.port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.on('data', (data) => {
        const isReady = from === upstream && data.includes(readyForQuery);
        if (!isReady || !isFirst) return to.write(data);
        isFirst = false;
        return client.end(Buffer.concat([data, goodbye()]));
      });
    }
  });
  const port = await listenOnLoopback(proxy, 0);
  const url = (await database.server.newPlace()).replace(`:${database.server.port}`, `:${port}`);
  const pool = connectTo(url);
  const work = () => pool.transaction((query) => query<{ one: number }>('select 1 as one'));
  // An error that nobody listens for would fail this run.
  await expect(work()).rejects.toThrow('connection');
  expect(await work()).toEqual([{ one: 1 }]);
  await pool.close();
  proxy.close();
  await once(proxy, 'close');
});
