import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { serveTransports } from '../support/a2a/serve-transports.js';
import { all, type Transport } from '../support/a2a/transport.js';
import { scriptOf } from '../support/scripts.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

const script = scriptOf({
  touch: [call('run_shell_command', { command: 'touch made' })],
  ask: [
    call('ask_user', {
      questions: [{ question: 'Which store?', header: 'Store', type: 'choice', options: stores('SQLite', 'Postgres') }],
    }),
  ],
});
const model = await startModelServer(script);
afterAll(() => model.close());
const session = useLive({ script });

function stores(...labels: string[]): object[] {
  return labels.map((label) => ({ label, description: label }));
}

/** Everything that a client of text alone can do to a question. */
async function answerInWords(on: Transport): Promise<void> {
  const asked = await on.send({ text: 'touch it' });
  const { id: taskId = '', contextId = '' } = asked;
  expect(asked.state).toBe('input-required');
  const again = await on.send({ taskId, contextId, text: 'hm, what is this?' });
  expect(again).toMatchObject({ id: taskId, state: 'input-required', texts: asked.texts });
  const streamed = await all(on.stream({ taskId, contextId, text: 'tell me more' }));
  expect(streamed.map(({ what, id, state, texts }) => ({ what, id, state, texts }))).toEqual([
    { what: 'task', id: taskId, state: 'input-required', texts: asked.texts },
    { what: 'status', id: taskId, state: 'input-required', texts: asked.texts },
  ]);
  if (on.name.endsWith('v0.3')) expect(streamed.at(-1)?.final).toBe(true);
  const answered = await on.send({ taskId, contextId, text: 'Yes, please.' });
  expect(answered).toMatchObject({ id: taskId, state: 'completed' });

  const refused = await on.send({ text: 'touch it again', contextId });
  const events = await all(on.stream({ taskId: refused.id ?? '', text: 'No, suggest changes' }));
  expect(events.at(-1)).toMatchObject({ id: refused.id, state: 'completed' });

  const own = await on.send({ text: 'ask me', contextId });
  expect(await on.send({ taskId: own.id ?? '', text: 'postgres' })).toMatchObject({ id: own.id, state: 'completed' });
}

const sentToModel = (requests: readonly object[]): string => JSON.stringify(requests);

test('on every transport and version of serve words answer a question, and others bring it back', async () => {
  const folder = temporaryFolder();
  const { served, transports } = await serveTransports({ folder, modelUrl: model.url });
  for (const on of transports) await answerInWords(on);
  expect(existsSync(join(folder, 'workspace', 'made'))).toBe(true);
  expect(sentToModel(model.requests)).not.toMatch(/what is this|tell me more|Yes, please/);
  expect(sentToModel(model.requests)).toContain('Postgres');

  for (const each of transports) each.close();
  served.kill('SIGTERM');
  await served.exit;
});

test('words that come after somebody else has answered are told so, and reach neither queue nor model', async () => {
  const { live } = session;
  const on = jsonRpc((await live.url()).replace(/\/$/, ''), '0.3');
  const watcher = await session.connect();
  const { id: taskId = '' } = await on.send({ text: 'touch it, then wait' });
  const waiting = await watcher.pending();
  await watcher.answer(waiting['tool_call_id'], 'proceed_once');
  const late = await on.send({ taskId, text: 'yes' }).catch((error: unknown) => error);
  // Either the turn was over by then, or the words were late: they are never a prompt.
  expect(late).toMatchObject({ code: expect.any(Number) as number });
  expect(sentToModel(live.model.requests)).not.toContain('"yes"');
});

test('the same in the terminal: words answer its dialog, others bring the question back', async () => {
  const { live } = session;
  const on = jsonRpc((await live.url()).replace(/\/$/, ''), '0.3');
  const { id: taskId = '', texts } = await on.send({ text: 'touch it' });
  await live.screen.waitFor('Allow once');
  expect(await on.send({ taskId, text: 'what?' })).toMatchObject({ id: taskId, state: 'input-required', texts });
  expect(await on.send({ taskId, text: 'Allow once' })).toMatchObject({ id: taskId, state: 'completed' });
  await live.screen.waitUntilGone('Allow once');
  expect(sentToModel(live.model.requests)).not.toContain('what?');
  await until(() => existsSync(join(live.workspace, 'made')));
});
