import { afterAll, beforeAll, expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { startModelServer } from '../support/model-server.js';
import { grpc } from '../support/a2a/grpc.js';
import { freePort } from '../support/free-port.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

/** Ten wrong tokens locked out the right ones of everybody behind the same address. */
let model: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  model = await startModelServer(scriptOf({}));
});
afterAll(() => model.close());

test('a right token is served whatever wrong ones came from its address, on every transport', async () => {
  const folder = temporaryFolder();
  const token = await new TokenFolder(`${folder}/state`).create({ name: 'ada', scopes: ['prompt'] });
  const grpcPort = await freePort();
  const args = ['--require-token', '--grpc-port', String(grpcPort)];
  const served = await startServe({ folder, modelUrl: model.url, args });
  const ws = served.base.replace('http:', 'ws:');
  const withToken = (given: string) => ({ headers: { authorization: `Bearer ${given}` } });
  const get = async (given: string): Promise<number> => (await fetch(`${served.base}/tasks`, withToken(given))).status;

  // More than an address may send, of wrong tokens of every kind.
  const guesses = Array.from(
    { length: 300 },
    (_, n) => [`wrong-${n}`, `cos_ada_${'x'.repeat(43)}`, 'a.b.c'][n % 3] ?? '',
  );
  const refused = await Promise.all(guesses.map(get));
  expect(new Set(refused)).toEqual(new Set([401, 429]));

  expect(await get(token)).toBe(200);
  for (const path of ['/acp', '/ws?protocol=acp']) {
    await expect(WireClient.connect(`${ws}${path}`, withToken('wrong'))).rejects.toThrow(/401|429/);
    const client = await WireClient.connect(`${ws}${path}`, withToken(token));
    expect(await client.call('initialize', { protocolVersion: 1 })).toHaveProperty('result');
    client.close();
  }
  const client = grpc(grpcPort);
  await expect(client.send({ text: 'hello' }, withToken('wrong'))).rejects.toMatchObject({
    code: expect.toBeOneOf([8, 16]) as number,
  });
  expect(await client.send({ text: 'hello' }, withToken(token))).toMatchObject({ state: 'completed' });
  client.close();
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
  expect((await served.post('acp', initialize, withToken('wrong').headers)).status).toBeOneOf([401, 429]);
  expect((await served.post('acp', initialize, withToken(token).headers)).status).toBe(200);
});
