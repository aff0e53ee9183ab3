import { expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** `GET /tasks/{id}/events/{seq}` was in no row of the table of scopes: whoever was sent an event cut could not read it whole. */
test('whoever may watch a session may read one of its events whole', async () => {
  const folder = new TokenFolder(temporaryFolder());
  const token = await folder.create({ name: 'watcher', scopes: ['view'] });
  const hub = await serveHub({}, { requireToken: true, auth: { authenticators: [folder] } });
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  const response = await fetch(`${hub.base}/tasks/session-1/events/1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.status, await response.json()]).toMatchObject([200, { kind: 'USER_MESSAGE', seq: 1 }]);
  await hub.stop();
});
