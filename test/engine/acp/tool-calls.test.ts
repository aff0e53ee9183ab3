import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/domain/tool-call.js';
import { habitsOf } from '../../../src/engine/acp/habits.js';
import { AgentToolCalls } from '../../../src/engine/acp/tool-calls.js';

const options = [{ optionId: 'ok', name: 'OK', kind: 'allow_once' as const }];
const never = new AbortController().signal;

function calls(agentName: string) {
  const reported: ToolCall[] = [];
  const tools = new AgentToolCalls({ report: (call) => reported.push(call) });
  tools.habits = habitsOf(agentName);
  const statuses = (id: string): string[] => reported.flatMap((call) => (call.id === id ? [call.status] : []));
  return { tools, reported, statuses };
}

test('an agent that asks first is believed when it says that a call runs', () => {
  const { tools, statuses } = calls('some-agent');
  tools.update({ toolCallId: 'a', status: 'in_progress' });
  expect(statuses('a')).toEqual(['executing']);
});

test.each(['OpenCode', '@agentclientprotocol/codex-acp'])('%s may still ask about a call that it says runs', (name) => {
  const { tools, statuses } = calls(name);
  tools.update({ toolCallId: 'a', status: 'in_progress' });
  expect(statuses('a')).toEqual([]);
  void tools.ask({ toolCall: { toolCallId: 'a' }, options }, never);
  expect(statuses('a')).toEqual(['waiting']);
  tools.clear();
});

test('an agent that asks late surprises once', () => {
  const { tools, statuses } = calls('some-agent');
  for (const id of ['a', 'b']) {
    tools.update({ toolCallId: id, status: 'in_progress' });
    void tools.ask({ toolCall: { toolCallId: id }, options }, never);
  }
  expect(statuses('a')).toEqual(['executing', 'waiting']);
  expect(statuses('b')).toEqual(['waiting']);
  tools.clear();
});

test('the name of a tool is the first title where that is known, and never a title that anybody could have written', () => {
  for (const [agent, name] of [
    ['OpenCode', 'bash'],
    ['some-agent', 'execute'],
  ] as const) {
    const { tools, reported } = calls(agent);
    tools.update({ toolCallId: 'a', title: 'bash', kind: 'execute', status: 'pending' });
    tools.update({ toolCallId: 'a', title: 'read_file', status: 'completed' });
    expect(reported.at(-1)).toMatchObject({ name, description: 'read_file' });
  }
});

test('an agent that begins a call with the id of one that is over has begun another', async () => {
  const { tools, statuses } = calls('some-agent');
  tools.update({ toolCallId: 'a', status: 'in_progress' });
  tools.update({ toolCallId: 'a', status: 'completed' });
  tools.update({ toolCallId: 'a', status: 'in_progress' });
  tools.update({ toolCallId: 'a', sessionUpdate: 'tool_call', status: 'completed' });
  expect(statuses('a')).toEqual(['executing', 'succeeded']);
  tools.update({ toolCallId: 'a', sessionUpdate: 'tool_call', status: 'in_progress' });
  tools.update({ toolCallId: 'a', status: 'failed' });
  expect(statuses('a_u2')).toEqual(['executing', 'failed']);
  const asked = tools.ask({ toolCall: { toolCallId: 'a' }, options }, never);
  expect(statuses('a_u3')).toEqual(['waiting']);
  tools.answer('a_u3', 'proceed_once');
  expect(await asked).toMatchObject({ outcome: { outcome: 'selected' } });
  tools.clear();
  tools.update({ toolCallId: 'a', status: 'in_progress' });
  expect(statuses('a_u4')).toEqual(['executing']);
});

test('two questions that are open under one id are two calls, and each gets its answer and its end', async () => {
  const { tools, statuses } = calls('some-agent');
  const [first, second] = [1, 2].map(() => tools.ask({ toolCall: { toolCallId: 'a' }, options }, never));
  tools.answer('a_u2', 'cancel');
  tools.answer('a', 'proceed_once');
  expect(await second).toEqual({ outcome: { outcome: 'cancelled' } });
  expect(await first).toMatchObject({ outcome: { outcome: 'selected' } });
  tools.update({ toolCallId: 'a', status: 'completed' });
  expect(statuses('a')).toEqual(['waiting', 'succeeded']);
  expect(statuses('a_u2')).toEqual(['waiting']);
});
