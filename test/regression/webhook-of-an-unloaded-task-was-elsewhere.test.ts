import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhooksInMemory } from '../../src/server/a2a/push/webhook-place.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Clients of a single server read that another server had taken over their task. */
test('a webhook for a task that is unloaded at this moment is refused as not ready', async () => {
  const folder = temporaryFolder();
  const kept = await openStore(`sqlite:${join(folder, 'tasks.db')}`, { stateDir: folder, env: {}, server: 'only' });
  const store: Store = {
    ...kept,
    async saveWebhooks(id, webhooks) {
      await served.registry.open('other');
      return kept.saveWebhooks(id, webhooks);
    },
  };
  const webhooks = { ...webhooksInMemory(), store };
  const served = await serveRegistry({ workspace: folder, store, maxLoaded: 1 }, { pushAllow: ['*'], webhooks });
  const session = await served.registry.open('one');
  const { turnId } = await session.send({ kind: 'prompt', text: 'hello', origin: { surface: 'a2a' } });
  served.engine('one').end();
  const client = jsonRpc(served.server.url.replace(/\/$/, ''), '1.0');
  await expect(client.webhooks.create(turnId, { url: 'http://127.0.0.1:9/' })).rejects.toThrow('being unloaded');
  await served.stop();
});
