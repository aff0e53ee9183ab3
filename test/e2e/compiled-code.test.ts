import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What nobody has asked this server for, each by something that only its code contains. */
const onDemand = [
  'zInitializeRequest',
  'node_modules/@grpc/grpc-js/',
  'node_modules/pg/',
  'node_modules/google-auth-library/',
  'node_modules/@opentelemetry/sdk-trace-base/',
  'node_modules/@nats-io/nats-core/',
];

/** V8 refuses what was compiled under other options, so none may change between the start and the first task. */
test('what one server has compiled the next one uses, core included; neither loads what nobody asked for', async () => {
  const model = await startModelServer(scriptOf({}));
  const folder = temporaryFolder();
  const compiled = join(folder, 'cache', 'cosession', 'compiled');
  const serveOnce = async (): Promise<Map<string, number>> => {
    const env = { XDG_CACHE_HOME: join(folder, 'cache') };
    const served = await startServe({ folder, modelUrl: model.url, env });
    await eventsOf(await served.post('message/stream', { userMessage: { kind: 'text-content', text: 'hello' } }));
    served.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    // A file that is written again is another one.
    return new Map(readdirSync(compiled).map((name) => [name, statSync(join(compiled, name)).ino]));
  };
  const first = await serveOnce();
  expect([...first.keys()].filter((name) => /-(main|core)\.cjs$/.test(name))).toHaveLength(2);
  expect(await serveOnce()).toEqual(first);

  const loaded = [...first.keys()].map((name) => name.replace(/^[\da-f]+-/, ''));
  const ours = loaded.filter((name) => name.startsWith('chunk-') && readdirSync('dist/chunks').includes(name));
  const texts = ours.map((name) => readFileSync(join('dist/chunks', name), 'utf8'));
  expect(onDemand.filter((part) => texts.some((text) => text.includes(part)))).toEqual([]);
  await model.close();
});
