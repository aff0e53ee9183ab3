import { expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

test.each([
  ['under the URI of the extension [RFC 3.1]', { [extensionUri]: { workspace_path: '/project/a' } }],
  ['where clients of upstream put them', { coderAgent: { kind: 'agent-settings', workspacePath: '/project/a' } }],
])(
  '[004-AgentSettings.workspace_path] AgentSettings in the first A2A message, %s, say where the new session works',
  async (_where, metadata) => {
    const served = await serveTasks();
    try {
      const message = {
        kind: 'message',
        role: 'user',
        messageId: 'm-1',
        parts: [{ kind: 'text', text: 'go' }],
        metadata,
      };
      const sent = served.post('', { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
      const id = await until(() => [...served.tasks.engines.keys()][0]);
      (await served.started(id)).end();
      expect(await (await sent).json()).toMatchObject({ result: { contextId: id, status: { state: 'completed' } } });
      expect(served.tasks.wishes).toMatchObject([{ workspace: '/project/a', owner: 'owner' }]);
    } finally {
      await served.stop();
    }
  },
);
