import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { runHere } from '../support/command.js';
import { readyPrompt, startLive } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { withoutConnectionTable } from '../support/without-connection-table.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const why = 'this system does not tell which user a connection belongs to';

test('a server that cannot tell whose a connection is refuses those without a token, and says why', async () => {
  const runner = withoutConnectionTable();
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, runner });
  const refused = await served.post('tasks', { contextId: 'one' });
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'token-required' } }]);
  expect(await (await fetch(`${served.base}/tasks`)).text()).toContain(`${why}: clients need a token`);
  expect(await served.logged('clients need a token')).toMatchObject({ reason: expect.stringContaining(why) as string });
  const card = await fetch(`${served.base}/.well-known/agent-card.json`);
  expect(await card.json()).toMatchObject({ security: [{}] });
});

test('a live session says so in its terminal; our own commands bring the token', async () => {
  const live = await startLive({ script: scriptOf({}), runner: withoutConnectionTable(), cols: 300 });
  try {
    await live.screen.waitFor(readyPrompt);
    const { url, token, sessionId } = await live.entry();
    await live.screen.waitFor(why);
    expect((await fetch(`${url}tasks/${sessionId}`)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}tasks/${sessionId}`, { headers })).status).toBe(200);
    const sent = runHere('send', ['our words'], { stateDir: live.stateDir, folder: live.workspace });
    await sent.shows('You said: our words');
    expect(await sent.code).toBe(0);
  } finally {
    await live.stop();
  }
});
