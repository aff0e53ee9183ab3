import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub({ model: 'gemini-2.5-flash' });
});
afterEach(() => hub.stop());

describe('[001-4] [000-5.1.1] [000-5.1.2] [000-5.1.3] tool confirmation', () => {
  test('the request has the shape of the guide, with the correlation id in its metadata', async () => {
    const client = await hub.connect();
    await client.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    expect(await client.pending()).toMatchObject({
      kind: 'TOOL_CALL_UPDATE',
      tool_call_id: 'call-1',
      status: 'PENDING',
      tool_name: 'run_shell_command',
      input_parameters: { command: 'rm -rf build' },
      confirmation_request: {
        options: [
          { id: 'proceed_once', name: 'Allow once' },
          { id: 'proceed_always', name: 'Allow for this session' },
          { id: 'cancel', name: 'No, suggest changes (esc)' },
        ],
        details: { execute_details: { command: 'rm -rf build' } },
      },
      metadata: { correlationId: 'question-call-1' },
      taskId: 'session-1',
    });
    expect(await client.state('input-required')).toBeDefined();
  });

  test('the answer of the guide, word for word, and everyone sees EXECUTING with who answered', async () => {
    const [alice, bob] = [await hub.connect('?client=alice'), await hub.connect()];
    await alice.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingShell('uuid-correlation-id') });
    await alice.pending();
    alice.socket.send(`{"jsonrpc":"2.0","method":"message/stream","params":{"message":{"content":{"data":{
      "kind":"TOOL_CALL_CONFIRMATION","tool_call_id":"uuid-correlation-id","selected_option_id":"proceed_once"}}}}}`);
    for (const client of [alice, bob]) {
      expect(await client.tool('EXECUTING')).toMatchObject({
        metadata: { resolvedBy: { surface: 'a2a', client: 'alice' }, selected_option_id: 'proceed_once' },
      });
    }
  });

  test.each([
    [
      'RFC data part',
      { parts: [{ kind: 'data', data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' } }] },
      {},
    ],
    [
      'RFC with a changed file',
      {
        parts: [
          {
            kind: 'data',
            data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once', file_details: { new_content: 'mine' } },
          },
        ],
      },
      { newContent: 'mine' },
    ],
    [
      '[000-5.2.1] modified_details',
      {
        content: {
          data: {
            tool_call_id: 'edit-1',
            selected_option_id: 'proceed_once',
            modified_details: { file_details: { new_content: 'mine' } },
          },
        },
      },
      { newContent: 'mine' },
    ],
    ['seed 002', { content: { data: { kind: 'tool-call-confirmation', toolCallId: 'edit-1', approved: true } } }, {}],
    [
      'the older form',
      { content: { data: { callId: 'edit-1', outcome: 'proceed_once', newContent: 'mine' } } },
      { newContent: 'mine' },
    ],
  ])('%s is accepted', async (_name, message, more) => {
    const client = await hub.connect();
    await client.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingEdit() });
    expect(await client.call('message/stream', { message })).toMatchObject({
      result: { accepted: true, tool_call_id: 'edit-1' },
    });
    expect(hub.engine.answered).toEqual([{ callId: 'edit-1', answer: { optionId: 'proceed_once', ...more } }]);
  });

  test('a late, an unknown and a wrong answer each get their error', async () => {
    const client = await hub.connect();
    await client.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    expect(await client.answer('call-1', 'banana')).toMatchObject({ error: { code: -32602 } });
    await client.answer('call-1', 'cancel');
    expect(await client.answer('call-1', 'proceed_once')).toMatchObject({
      error: {
        code: -32050,
        data: { tool_call_id: 'call-1', selected_option_id: 'cancel', resolvedBy: { surface: 'a2a' } },
      },
    });
    expect(await client.answer('nope', 'cancel')).toMatchObject({ error: { code: -32051 } });
    expect(hub.engine.answered).toHaveLength(1);
  });

  test('without an id a failure comes as ERROR to that client alone', async () => {
    const [alice, bob] = [await hub.connect(), await hub.connect()];
    alice.notify('message/stream', {
      message: { content: { data: { tool_call_id: 'nope', selected_option_id: 'x' } } },
    });
    expect(await alice.kind('ERROR')).toMatchObject({ code: -32051, taskId: 'session-1' });
    hub.engine.say('later');
    await bob.kind('TEXT_CONTENT');
    expect(bob.seen.some((event) => event.kind === 'ERROR')).toBe(false);
  });
});
