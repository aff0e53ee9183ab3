import { expect, test } from 'vitest';
import { messageParams } from '../../src/dialects/shared/message.js';
import { asyncApi, openApi } from '../../src/server/describe/api-documents.js';
import { commonRoutes } from '../../src/server/routes/common.js';
import { liveRoutes } from '../../src/server/routes/live.js';
import { serverRoutes } from '../../src/server/routes/server.js';
import { undocumented } from '../support/known-events.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { serveHub } from '../support/served-hub.js';

test('both documents are served, and describe every route and every method', async () => {
  const hub = await serveHub();
  const paths = (await (await fetch(`${hub.base}/openapi.json`)).json()) as { openapi: string; paths: object };
  expect(paths.openapi).toBe('3.1.0');
  expect(Object.keys(paths.paths)).toEqual([
    '/.well-known/agent-card.json',
    '/',
    '/tasks',
    '/tasks/{taskId}',
    '/tasks/{taskId}/cancel',
    '/tasks/{taskId}/history',
    '/tasks/{taskId}/events/{seq}',
    '/tasks/{taskId}/messages/stream',
    '/tasks/{taskId}/files',
    '/audit',
  ]);
  const socket = (await (await fetch(`${hub.base}/asyncapi.json`)).json()) as {
    channels: { session: { messages: object } };
  };
  const client = await hub.connect();
  const { error } = await client.call('no/such');
  const { methods } = (error as { data: { methods: string[] } }).data;
  expect(Object.keys(socket.channels.session.messages)).toEqual(
    expect.arrayContaining(methods.map((name) => name.replace('/', '.'))),
  );
  await hub.stop();
});

test('every reference inside the documents leads somewhere', () => {
  const about = { title: 'it', version: '1.0.0', url: 'http://127.0.0.1:1/', needsToken: true, security: [] };
  for (const document of [
    openApi({ ...about, routes: [...commonRoutes, ...liveRoutes] }),
    openApi({ ...about, routes: [...commonRoutes, ...serverRoutes] }),
    asyncApi('1.0.0', '127.0.0.1:1'),
  ]) {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    for (const ref of refs) {
      const target = ref
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect([ref, target]).toEqual([ref, expect.anything()]);
    }
  }
});

test('every kind of event that leaves the server has the documented form', async () => {
  const hub = await serveHub({ model: 'm' });
  const client = await hub.connect();
  await client.prompt('go', { messageId: 'm1' });
  await client.prompt('wait');
  hub.engine.report(
    { type: 'text', text: 'a' },
    { type: 'thought', subject: 's', description: 'd' },
    { type: 'citation', text: 'c' },
    { type: 'usage', usage: { totalTokens: 1 } },
    { type: 'settings', model: 'm', approvalMode: 'default' },
    { type: 'log', level: 'info', text: 'l' },
    { type: 'error', message: 'e' },
    { type: 'artifact', artifact: { id: 'a', name: 'a', parts: [{ kind: 'text', text: 't' }] } },
    { type: 'tool', call: waitingShell() },
    { type: 'tool', call: waitingEdit() },
  );
  await client.answer('call-1', 'proceed_once');
  await client.answer('edit-1', 'cancel');
  const base = { id: 'call-1', name: 'run_shell_command', args: {} };
  hub.engine.report({ type: 'tool', call: { ...base, status: 'executing', liveOutput: 'x' } });
  hub.engine.report({ type: 'tool', call: { ...base, status: 'failed', error: { message: 'no', type: 't' } } });
  hub.engine.end('failed', 'why');
  client.notify('message/stream', {});
  const late = await hub.connect('?after=9999');
  await late.kind('SNAPSHOT');
  await client.find((event) => event['code'] === -32602);
  await client.state('failed');
  expect(undocumented([...client.seen, ...late.seen])).toEqual([]);
  expect(new Set(client.seen.map((event) => event.kind)).size).toBeGreaterThan(11);
  await hub.stop();
});

test('the schema of the documents is the one that checks: the examples of the guide pass, nonsense does not', () => {
  expect(messageParams.safeParse({ message: { content: { text: 'hi' } } }).success).toBe(true);
  expect(messageParams.safeParse({ message: { content: { text: 1 } } }).success).toBe(false);
});
