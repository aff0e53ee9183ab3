import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { startServe, type ServeProcess } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Asks about two commands, one after the other, for whoever it was asked by. */
const model = await startModelServer((request) => {
  const made = lastToolResult(request)?.text;
  if (made?.includes('made second')) return { chunks: [[say('All done.')]] };
  const asker = /(?:touch|made first) for (\d\.\d)/.exec(made ?? lastPrompt(request))?.[1];
  if (asker === undefined) return { chunks: [[say('Nothing to do.')]] };
  const next = made === undefined ? 'first' : 'second';
  return {
    chunks: [[call('run_shell_command', { command: `touch ${next}-${asker}; echo made ${next} for ${asker}` })]],
  };
});
afterAll(() => model.close());

test('words that answered a question are that answer when they come again after kill -9, and never the next one', async () => {
  const folder = temporaryFolder();
  let served = await startServe({ folder, modelUrl: model.url });
  const killed = async (): Promise<ServeProcess> => {
    served.kill('SIGKILL');
    await served.exit;
    return startServe({ folder, modelUrl: model.url });
  };
  const versions = (['1.0', '0.3'] as const).map((version) => ({
    send: (message: object) => jsonRpc(served.base, version).send({ text: '', ...message }),
    made: (name: string): boolean => existsSync(join(folder, 'workspace', `${name}-${version}`)),
    prompt: `touch for ${version}`,
  }));

  const before = [];
  for (const { send, made, prompt } of versions) {
    const { id: taskId = '' } = await send({ text: prompt, messageId: 'prompt' });
    const first = { taskId, text: 'yes', messageId: 'answer-1' };
    const asked = await send(first);
    expect(asked).toMatchObject({ id: taskId, state: 'input-required' });
    expect([made('first'), made('second')]).toEqual([true, false]);
    before.push({ send, made, taskId, first, texts: asked.texts });
  }

  served = await killed();
  for (const { send, made, taskId, first, texts } of before) {
    expect(await send(first)).toMatchObject({ id: taskId, state: 'input-required', texts });
    await expect(send({ ...first, text: 'no' })).rejects.toThrow('was already used for a different message');
    const second = { taskId, text: 'Yes, please.', messageId: 'answer-2' };
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    expect(made('second')).toBe(true);
  }

  served = await killed();
  for (const { send, taskId } of before) {
    const second = { taskId, text: 'Yes, please.', messageId: 'answer-2' };
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    await expect(send({ ...second, text: 'no' })).rejects.toThrow('was already used for a different message');
  }
});
