import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { limits } from '../../src/server/http/limits.js';
import { grpc } from '../support/a2a/grpc.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { rest } from '../support/a2a/rest.js';
import type { Seen, Transport } from '../support/a2a/transport.js';
import { failure } from '../support/checklist.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub({}, { grpcPort: 0 });
});
afterEach(() => hub.stop());

const transports: readonly (readonly [string, (hub: ServedHub) => Transport, tooSlow: number])[] = [
  ['JSON-RPC v1.0', ({ base }) => jsonRpc(base, '1.0'), -32056],
  ['JSON-RPC v0.3', ({ base }) => jsonRpc(base, '0.3'), -32056],
  ['HTTP+JSON v1.0', ({ base }) => rest(base, '1.0'), 410],
  ['HTTP+JSON v0.3', ({ base }) => rest(base, '0.3'), -32056],
  ['gRPC v1.0', ({ server }) => grpc(server.grpcPort ?? 0), 9],
];
const headers = { 'a2a-extensions': extensionUri };
const chunk = 'x'.repeat(2000);

describe.each(transports)('%s', (_name, open, tooSlow) => {
  test('a reader that stops for a while gets everything once it reads on', async () => {
    const events = open(hub).stream({ text: 'go' }, { headers });
    await events.next();
    await say(5000);
    hub.engine.end();
    const texts: string[] = [];
    for await (const event of events) texts.push(...event.texts);
    expect(texts.length).toBe(5000);
    expect(new Set(texts)).toEqual(new Set([chunk]));
  });

  test('one that stops for too long costs no more than its buffer, and is told why its stream ends', async () => {
    const transport = open(hub);
    // What every turn costs is spent before: the session's log is full.
    hub.session.submit({ kind: 'prompt', text: 'before', origin: { surface: 'tui' } });
    await say(13_000);
    hub.engine.end();

    const events = transport.stream({ text: 'go' }, { headers });
    const { value: task } = await events.next();
    const before = memory();
    await say(40_000);
    expect(memory() - before).toBeLessThan(limits.clientBufferBytes);

    const { code, body } = await failure(drain(events));
    expect(code).toBe(tooSlow);
    expect(JSON.stringify(body)).toContain('subscribe again without a cursor');

    const again = transport.subscribe((task as Seen).id ?? '', headers);
    expect((await again.next()).value).toMatchObject({ what: 'task', state: 'working' });
    hub.engine.say('the rest');
    expect((await again.next()).value).toMatchObject({ texts: ['the rest'] });
    await again.return();
    transport.close();
  });
});

async function drain(events: AsyncIterable<Seen>): Promise<void> {
  for await (const _event of events);
}

/** As fast as a session takes it, but the sockets have their turn now and then. */
async function say(chunks: number): Promise<void> {
  for (let said = 0; said < chunks; said++) {
    hub.engine.say(chunk);
    if (said % 100 === 0) await new Promise(setImmediate);
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): number {
  // What the test itself has noted down.
  hub.events.length = 0;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
