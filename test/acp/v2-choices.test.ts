import { afterEach, expect, test } from 'vitest';
import type { ApprovalDetails, WaitingCall } from '../../src/domain/tool-call.js';
import { AcpV2Client, type AcpV2Options } from '../support/acp-v2-client.js';
import { settableEngine } from '../support/settable-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
const clients: AcpV2Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await hub.stop();
});

async function connect(options: AcpV2Options = {}): Promise<AcpV2Client> {
  const client = await AcpV2Client.connect(`${hub.base.replace('http', 'ws')}/ws`, options);
  clients.push(client);
  return client;
}

function ask(details: ApprovalDetails, name: string): void {
  const options = ['proceed_once', 'cancel'].map((id) => ({ id, name: id }));
  const call: WaitingCall = { id: 'call-1', name, args: {}, status: 'waiting', approval: { options, details } };
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } }, { type: 'tool', call });
}

const questions = [
  { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] },
  { question: 'Sure?', type: 'yesno' },
];
const answer = { optionId: 'proceed_once', answers: { 0: 'blue', 1: 'Yes' } };

test('mode and model are options, chosen for everybody', async () => {
  hub = await serveHub({ engine: settableEngine() }, { acpV2: true });
  const [alice, bob] = [await connect({ join: false }), await connect()];
  const { configOptions } = await alice.join();
  expect(configOptions).toMatchObject([
    { configId: 'model', category: 'model', currentValue: 'large', options: [{ value: 'large' }, { value: 'small' }] },
    { configId: 'mode', category: 'mode', currentValue: 'default', options: [{ value: 'default' }, { value: 'plan' }] },
  ]);
  const { sessionId } = alice;
  const choose = (configId: string, value: string) =>
    alice.agent.request('session/set_config_option', { sessionId, configId, type: 'id', value });
  expect((await choose('mode', 'plan')).configOptions).toMatchObject([{}, { configId: 'mode', currentValue: 'plan' }]);
  await bob.find((update) => JSON.stringify(update).includes('"currentValue":"plan"'));
  await expect(choose('mode', 'yolo')).rejects.toMatchObject({ code: -32602 });
  await expect(choose('colour', 'red')).rejects.toMatchObject({ code: -32602 });
});

test('questions of the agent are a form for a client with forms', async () => {
  hub = await serveHub({}, { acpV2: true });
  const alice = await connect({ capabilities: { elicitation: { form: {} } } });
  ask({ kind: 'questions', description: '', questions }, 'ask_user');
  const form = await until(() => alice.forms[0]);
  expect(form.request).toMatchObject({ mode: 'form', toolCallId: 'call-1', message: 'Which colour?\nSure?' });
  form.answer({ action: 'accept', content: { 0: 'blue', 1: 'Yes' } });
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual(answer);
});

test('and one permission after another for a client without', async () => {
  hub = await serveHub({}, { acpV2: true });
  const alice = await connect();
  ask({ kind: 'questions', description: '', questions }, 'ask_user');
  const first = await alice.question();
  expect(first.request).toMatchObject({
    title: 'Which colour?',
    options: [{ name: 'red' }, { name: 'blue' }, { optionId: 'cancel' }],
  });
  first.answer('1');
  const second = await until(() => alice.asked[1]);
  expect(second.request.title).toBe('Sure?');
  second.answer('0');
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual(answer);
});

test('a plan is approved by a permission that shows it', async () => {
  hub = await serveHub({}, { acpV2: true });
  const alice = await connect();
  ask({ kind: 'plan', description: '# Plan\n1. read', planPath: '/plan.md' }, 'exit_plan_mode');
  const { request } = await alice.question();
  expect(request).toMatchObject({
    title: 'Approve this plan?',
    subject: {
      toolCall: {
        kind: 'switch_mode',
        content: [{ type: 'content', content: { type: 'text', text: '# Plan\n1. read' } }],
      },
    },
  });
});
