import { expect } from 'vitest';
import { pushAllUri } from '../../../src/dialects/a2a/push-all.js';
import { artifactsOf, normal } from '../../support/a2a/seen.js';
import { all, type Json } from '../../support/a2a/transport.js';
import { codeOn, failure, later } from '../../support/checklist.js';
import { until } from '../../support/until.js';
import { openWebhook } from '../../support/webhook.js';
import type { Line } from './line.js';

const url = 'http://127.0.0.1:9/hook';

export const webhookLines: readonly Line[] = [
  {
    section: '3.1.7 - 3.1.10',
    says: 'webhooks of a task are created, read, listed and deleted; deleting twice is fine, reading a deleted one is an error',
    async check(on) {
      const { id = '' } = await on.send({ text: 'hold' }, later);
      const webhook = { id: 'mine', url, token: 't', scheme: 'Bearer', credentials: 'c' };
      expect(await on.webhooks.create(id, webhook)).toEqual(webhook);
      expect(await on.webhooks.get(id, 'mine')).toEqual(webhook);
      expect(await on.webhooks.list(id)).toEqual([webhook]);
      await on.webhooks.delete(id, 'mine');
      await on.webhooks.delete(id, 'mine');
      expect(await on.webhooks.list(id)).toEqual([]);
      expect((await failure(on.webhooks.get(id, 'mine'))).code).toBe(codeOn(on.name, 'notFound'));
    },
  },
  {
    section: '4.3.3, 13.2',
    says: 'a webhook is called when input is required and when the task is over, with its credentials',
    async check(on) {
      const hook = await openWebhook();
      const webhook = { url: hook.url, token: 'mine', scheme: 'Bearer', credentials: 'secret' };
      const { id: taskId = '' } = await on.send({ text: 'tool' }, { webhook });
      await until(() => hook.posted.length === 1);
      await on.send({ taskId, data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' } });
      await until(() => hook.posted.length === 2);
      const told = hook.posted.map(({ body }) => normal(body as Json));
      expect(told.map(({ id, state }) => [id, state])).toEqual([
        [taskId, 'input-required'],
        [taskId, 'completed'],
      ]);
      for (const { headers } of hook.posted)
        expect(headers).toMatchObject({ authorization: 'Bearer secret', 'x-a2a-notification-token': 'mine' });
      hook.close();
    },
  },
  {
    section: '13.2',
    says: 'a webhook at an address that must not be called is refused',
    async check(on) {
      const { id = '' } = await on.send({ text: 'hold' }, later);
      for (const wrong of ['file:///etc/passwd', 'http://user:password@203.0.113.1/'])
        expect((await failure(on.webhooks.create(id, { url: wrong }))).code).toBe(codeOn(on.name, 'malformed'));
    },
  },
  {
    section: '(ours)',
    says: 'clients that ask by extension get every update with the whole answer, and a confirmation that it is active',
    async check(on) {
      const hook = await openWebhook();
      const headers = { [on.name.endsWith('v1.0') ? 'a2a-extensions' : 'x-a2a-extensions']: pushAllUri };
      expect(await on.activated({ text: 'hello' }, { headers })).toBe(pushAllUri);
      await all(on.stream({ text: 'count 3' }, { webhook: { url: hook.url }, headers }));
      await until(() => hook.posted.length === 3);
      const told = hook.posted.map(({ body }) => normal(body as Json));
      // v0.3 notices are the task as it is then, v1.0 ones what has changed.
      const states = ['working', 'completed', 'completed'].map((state) => ['task', state]);
      const updates = [
        ['status', 'working'],
        ['artifact', undefined],
        ['status', 'completed'],
      ];
      expect(told.map(({ what, state }) => [what, state])).toEqual(on.name.endsWith('v0.3') ? states : updates);
      expect(artifactsOf(told)).toEqual({ answer: '3 2 1 You said: count 3' });
      hook.close();
    },
  },
];
