import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { artifactsOf } from '../support/a2a/seen.js';
import { all, type Seen, transportNames } from '../support/a2a/transport.js';
import { openTransport } from '../support/checklist.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Lets the model end the answer it has begun. */
let goOn = (): void => {};
const model = await startModelServer(() => ({
  chunks: [[say('First, ')], [say('then the rest.')]],
  holdLast: new Promise<void>((resolve) => (goOn = resolve)),
}));
afterAll(() => model.close());

test('a client without the extension reads the answer while the model still speaks', async () => {
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--grpc-port', '0'] });
  for (const name of transportNames) {
    const on = openTransport({ url: `${serve.base}/`, grpcPort: await grpcPortOf(serve.base) }, name);
    const events = on.stream({ text: 'hello' });
    const seen: Seen[] = [];
    while (!seen.some(({ texts }) => texts.includes('First, '))) seen.push(await next(events));
    const taskId = seen[0]?.id ?? '';
    const subscribed = on.subscribe(taskId);
    const joined = [await next(subscribed)];
    goOn();
    seen.push(...(await all(events)));
    expect([name, artifactsOf(seen)]).toEqual([name, { answer: 'First, then the rest.' }]);
    expect(seen.slice(-2).map(({ chunk, state }) => chunk?.lastChunk ?? state)).toEqual([true, 'completed']);
    expect(artifactsOf([...joined, ...(await all(subscribed))])).toEqual({ answer: 'First, then the rest.' });
    expect((await on.get(taskId)).made).toEqual({ answer: 'First, then the rest.' });
    on.close();
  }
});

async function next(events: AsyncGenerator<Seen>): Promise<Seen> {
  const { value, done } = await events.next();
  if (done) throw new Error('the stream has ended');
  return value;
}

async function grpcPortOf(base: string): Promise<number> {
  const card = (await (await fetch(`${base}/v1/.well-known/agent-card.json`)).json()) as {
    supportedInterfaces: { url: string; protocolBinding: string }[];
  };
  const { url } = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'GRPC') ?? { url: '' };
  return Number(url.split(':').at(-1));
}
