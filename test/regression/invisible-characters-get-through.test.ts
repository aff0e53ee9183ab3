import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { lastPrompt } from '../../src/demo/script.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

/** Each can carry a message that nobody sees, to the model or to another client. */
const unseen = ['\ufe00', '\ufe0f', '\u{e0100}', '\u115f', '\u1160', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u180b'];
unseen.push('\u200b', '\u200d', '\u2064', '\u202e', '\u{e0041}', '\u{1d173}', '\u{1bca0}', '\ufff0');

test('a prompt reaches the model and other clients without characters that nobody sees, and with its emoji', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const made = (await (await served.post('tasks', {})).json()) as { taskId: string };
  const connect = () => WireClient.connect(`${served.base.replace('http', 'ws')}/ws?taskId=${made.taskId}`);
  const [alice, bob] = [await connect(), await connect()];
  await alice.prompt(`be${unseen.join('x')}fore 👩‍💻❤️ ${unseen.join('')}after`);
  await bob.state('completed');
  const clean = `be${'x'.repeat(unseen.length - 1)}fore 👩‍💻❤️ after`;
  const request = model.requests.at(-1);
  expect(request && lastPrompt(request)).toBe(clean);
  expect(await bob.kind('USER_MESSAGE')).toMatchObject({ content: { text: clean } });
  alice.close();
  bob.close();
});
