import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { startServe, type ServeProcess } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Asks about two commands, one after the other. */
const model = await startModelServer((request) => {
  const made = lastToolResult(request)?.text.includes('made first') ? 'second' : 'first';
  if (lastToolResult(request)?.text.includes('made second')) return { chunks: [[say('All done.')]] };
  if (made === 'first' && !lastPrompt(request).includes('touch')) return { chunks: [[say('Nothing to do.')]] };
  return { chunks: [[call('run_shell_command', { command: `touch ${made}; echo made ${made}` })]] };
});
afterAll(() => model.close());

test.each(['1.0', '0.3'] as const)(
  'words that answered a question are that answer when they come again after kill -9, and never the next one (v%s)',
  async (version) => {
    const folder = temporaryFolder();
    const made = (name: string): boolean => existsSync(join(folder, 'workspace', name));
    const killed = async (served: ServeProcess): Promise<ServeProcess> => {
      served.kill('SIGKILL');
      await served.exit;
      return startServe({ folder, modelUrl: model.url });
    };
    let served = await startServe({ folder, modelUrl: model.url });
    const send = (message: object) => jsonRpc(served.base, version).send({ text: '', ...message });

    const { id: taskId = '' } = await send({ text: 'touch them', messageId: 'prompt' });
    const first = { taskId, text: 'yes', messageId: 'answer-1' };
    const asked = await send(first);
    expect(asked).toMatchObject({ id: taskId, state: 'input-required' });
    expect([made('first'), made('second')]).toEqual([true, false]);

    served = await killed(served);
    expect(await send(first)).toMatchObject({ id: taskId, state: 'input-required', texts: asked.texts });
    await expect(send({ ...first, text: 'no' })).rejects.toThrow('was already used for a different message');
    const second = { taskId, text: 'Yes, please.', messageId: 'answer-2' };
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    expect(made('second')).toBe(true);

    served = await killed(served);
    expect(await send(second)).toMatchObject({ id: taskId, state: 'completed' });
    await expect(send({ ...second, text: 'no' })).rejects.toThrow('was already used for a different message');
  },
);
