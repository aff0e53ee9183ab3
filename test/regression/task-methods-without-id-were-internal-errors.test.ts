import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const methods = {
  '0.3': [
    'tasks/get',
    'tasks/cancel',
    'tasks/resubscribe',
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotificationConfig/list',
    'tasks/pushNotificationConfig/delete',
    'message/send',
    'message/stream',
  ],
  '1.0': [
    'GetTask',
    'CancelTask',
    'SubscribeToTask',
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
    'SendMessage',
    'SendStreamingMessage',
  ],
};

test.each(['memory:', 'sqlite:'])(
  'params without what they need are wrong params, whatever the method, on a store of %s',
  async (store) => {
    const args = ['--store', store];
    const server = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });
    const wrong = [{}, { id: null }, { id: '' }, { id: 7 }, { taskId: null }, undefined, null, [], 'x'];
    for (const [version, names] of Object.entries(methods))
      for (const method of names)
        for (const params of wrong) {
          const response = await server.post('', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': version });
          const text = (await response.text()).replace(/^data: /, '');
          const code = (JSON.parse(text) as { error: { code: number } }).error.code;
          expect([method, params, code]).toEqual([method, params, -32602]);
        }
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
