import { expect, test } from 'vitest';
import { transportNames } from '../support/a2a/transport.js';
import { failure, openTransport } from '../support/checklist.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const sentence = String.raw`Task not found: \"nowhere\"`;

test('an unknown task is refused in the words of the specification, with its id', async () => {
  const { base } = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9' });
  for (const name of transportNames.filter((each) => !each.startsWith('gRPC'))) {
    const on = openTransport({ url: `${base}/` }, name);
    const calls = [
      () => on.get('nowhere'),
      () => on.cancel('nowhere'),
      () => on.subscribe('nowhere').next(),
      () => on.send({ text: 'hello', taskId: 'nowhere' }),
    ];
    for (const call of calls) expect((await failure(call())).message).toContain(sentence);
  }
  expect(await (await fetch(`${base}/tasks/nowhere`)).text()).toContain(sentence);
});
