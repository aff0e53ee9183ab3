import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { all, type Json, type Seen, type Transport, transportNames } from '../support/a2a/transport.js';
import { grpc } from '../support/a2a/grpc.js';
import { grpcLegacy } from '../support/a2a/grpc-legacy.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { rest } from '../support/a2a/rest.js';
import { waitingEdit } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

const headers = { 'a2a-extensions': extensionUri };
let hub: ServedHub;
let transports: Record<string, Transport>;

beforeAll(async () => {
  hub = await serveHub({ model: 'gemini' }, { grpcPort: 0 });
  transports = {
    'JSON-RPC v1.0': jsonRpc(hub.base, '1.0'),
    'JSON-RPC v0.3': jsonRpc(hub.base, '0.3'),
    'HTTP+JSON v1.0': rest(hub.base, '1.0'),
    'HTTP+JSON v0.3': rest(hub.base, '0.3'),
    'gRPC v1.0': grpc(hub.server.grpcPort ?? 0),
    'gRPC v0.3': grpcLegacy(hub.server.grpcPort ?? 0),
  };
});
afterAll(async () => {
  for (const transport of Object.values(transports)) transport.close();
  await hub.stop();
});

const hasFinal = (name: string): boolean => name.endsWith('v0.3');
const names = transportNames;

describe.each(names)('[004-A] the example flow of the RFC on %s', (name) => {
  test('[004-2] two streams around an approval, event by event', async () => {
    const transport = transports[name];
    if (!transport) throw new Error(name);
    const callId = `edit-${name}`;
    const metadata = { [extensionUri]: { workspace_path: '/work' } };

    const asking = all(transport.stream({ text: 'write a.txt', metadata }, { headers }));
    await until(() => !hub.engine.isReady);
    hub.engine.report({ type: 'tool', call: waitingEdit(callId) });
    const first = await asking;
    expect(first.map(row(name))).toEqual(
      rows(name, [
        ['task', '', 'submitted'],
        ['STATE_CHANGE', '', 'working'],
        ['TOOL_CALL_UPDATE', 'PENDING', 'working'],
        ['STATE_CHANGE', '', 'input-required', 'final'],
      ]),
    );
    expect(first[2]?.data[0]).toMatchObject({ confirmation_request: { file_edit_details: { file_name: 'a.txt' } } });

    const { id, contextId } = first[0] ?? {};
    const data = { tool_call_id: callId, selected_option_id: 'proceed_once' };
    const before = hub.engine.answered.length;
    const answering = all(
      transport.stream({ data, ...(id ? { taskId: id } : {}), ...(contextId ? { contextId } : {}) }, { headers }),
    );
    await until(() => hub.engine.answered.length > before);
    const { name: tool, args } = waitingEdit(callId);
    const output = { kind: 'text', text: 'written' } as const;
    hub.engine.report({ type: 'tool', call: { id: callId, name: tool, args, status: 'succeeded', output } });
    hub.engine.say('Done.');
    hub.engine.end();
    const second = await answering;
    expect(second.map(row(name))).toEqual(
      rows(name, [
        // A2A 3.1.2: a stream begins with the task. The RFC's own list begins with the next line.
        ['task', '', 'working'],
        ['TOOL_CALL_UPDATE', 'EXECUTING', 'working'],
        ['STATE_CHANGE', '', 'working'],
        ['TOOL_CALL_UPDATE', 'SUCCEEDED', 'working'],
        ['TEXT_CONTENT', '', 'working'],
        ['STATE_CHANGE', '', 'completed', 'final'],
      ]),
    );
    expect(second.at(-2)?.texts).toEqual(['Done.']);
    expect(new Set([...first, ...second].map((event) => event.id))).toEqual(new Set([id]));
  });

  test('the finished task is continued by another message with the same task id', async () => {
    const transport = transports[name];
    if (!transport) throw new Error(name);
    const turn = (events: Promise<Seen[]>) => {
      hub.engine.end();
      return events;
    };
    const begun = all(transport.stream({ text: 'one' }, { headers }));
    await until(() => !hub.engine.isReady);
    const id = (await turn(begun))[0]?.id ?? '';
    const again = all(transport.stream({ text: 'two', taskId: id }, { headers }));
    await until(() => !hub.engine.isReady);
    const [task] = await turn(again);
    expect(task).toMatchObject({ what: 'task', metadata: { [extensionUri]: { continues: id } } });
    expect(task?.id).not.toBe(id);
  });
});

/** (kind, tool status, state, final) of an event. */
function row(name: string): (event: Seen) => readonly unknown[] {
  return ({ what, metadata, data, state, final }) => {
    const { kind = what } = (metadata[extensionUri] ?? {}) as Json;
    const tool = data[0]?.['status'] ?? '';
    return [kind, tool, state, hasFinal(name) && final === true ? 'final' : ''];
  };
}

function rows(name: string, expected: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return expected.map(([kind = '', tool = '', state = '', final = '']) => [
    kind,
    tool,
    state,
    hasFinal(name) ? final : '',
  ]);
}
