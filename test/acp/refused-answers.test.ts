import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import type { WireClient, WireEvent } from '../support/wire-client.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

/** A client of its own making: it asks nobody, and does not know `$/cancel_request`. */
async function stubborn(clientCapabilities: object = {}): Promise<WireClient> {
  const client = await hub.connect('?protocol=acp');
  await client.call('initialize', { protocolVersion: 1, clientCapabilities });
  await client.call('session/new', { cwd: '/', mcpServers: [] });
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  return client;
}

const question = (client: WireClient): Promise<WireEvent> =>
  client.find((event) => event['method'] === 'session/request_permission');

function choose(client: WireClient, { id }: WireEvent, optionId: string): void {
  client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId } } }));
}

/** The update that tells it. */
async function refusal(client: WireClient, optionId: string): Promise<unknown> {
  const found = await client.find((event) => JSON.stringify(event).includes(`"refused":{"optionId":"${optionId}"`));
  return (found['params'] as { update: unknown }).update;
}

describe.each([
  ['by a notice, when it can show them', { session: { notices: {} } }],
  ['by an update of the call otherwise', {}],
])('a client is told %s', (_how, capabilities) => {
  const told = (callId: string, optionId: string, reason: string) => {
    const _meta = { cosession: { refused: { optionId, reason } } };
    return 'session' in capabilities
      ? { sessionUpdate: 'notice', severity: 'warning', title: reason, _meta }
      : { sessionUpdate: 'tool_call_update', toolCallId: callId, _meta };
  };

  test('that its answer came too late, and who was first', async () => {
    const client = await stubborn(capabilities);
    const bob = await hub.connect('?protocol=endpoint&client=bob');
    hub.engine.report({ type: 'tool', call: waitingShell('call-1') });
    const asked = await question(client);
    await bob.answer('call-1', 'cancel');
    await client.find((event) => event['method'] === '$/cancel_request');
    choose(client, asked, 'proceed_once');
    const reason = 'too late: bob has answered "cancel"';
    expect(await refusal(client, 'proceed_once')).toEqual(told('call-1', 'proceed_once', reason));
    expect(hub.engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'cancel' } }]);
  });

  test('that its answer is none of the options; the question stays open for others', async () => {
    const client = await stubborn(capabilities);
    hub.engine.report({ type: 'tool', call: waitingShell('call-1') });
    choose(client, await question(client), 'whatever');
    const reason = '"whatever" is not an option of tool call "call-1"';
    expect(await refusal(client, 'whatever')).toEqual(told('call-1', 'whatever', reason));
    expect(hub.engine.answered).toEqual([]);
    expect(hub.session.snapshot.pending).toHaveLength(1);
  });
});

test('an answer to a question that its turn took with it is refused too', async () => {
  const client = await stubborn();
  hub.engine.report({ type: 'tool', call: waitingShell('call-1') });
  const asked = await question(client);
  hub.engine.end('canceled');
  await client.find((event) => event['method'] === '$/cancel_request');
  choose(client, asked, 'proceed_once');
  expect(await refusal(client, 'proceed_once')).toMatchObject({
    _meta: { cosession: { refused: { reason: 'too late: tui has answered "cancel"' } } },
  });
});

test('a choice that is none of a question of the agent is no dismissal', async () => {
  const client = await stubborn();
  const options = ['proceed_once', 'cancel'].map((id) => ({ id, name: id }));
  const questions = [{ question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] }];
  const details = { kind: 'questions', description: '', questions } as const;
  const call = { id: 'call-1', name: 'ask_user', args: {}, status: 'waiting', approval: { options, details } } as const;
  hub.engine.report({ type: 'tool', call });
  choose(client, await question(client), '');
  expect(await refusal(client, '')).toMatchObject({ toolCallId: 'call-1' });
  expect(hub.engine.answered).toEqual([]);
});

test('who has left the session hears no more of it', async () => {
  const client = await stubborn();
  hub.engine.report({ type: 'tool', call: waitingShell('call-1') });
  const asked = await question(client);
  await client.call('session/close', { sessionId: 'session-1' });
  client.forget();
  choose(client, asked, 'proceed_once');
  await client.call('session/list');
  expect(client.seen.filter((event) => event['method'] === 'session/update')).toEqual([]);
  expect(hub.engine.answered).toEqual([]);
});
