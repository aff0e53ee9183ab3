import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApprovalDetails, WaitingCall } from '../../src/domain/tool-call.js';
import { AcpClient, type AcpOptions } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let clients: AcpClient[];
beforeEach(async () => {
  hub = await serveHub();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await hub.stop();
});

async function connect(options: AcpOptions = {}): Promise<AcpClient> {
  const client = await AcpClient.connect(`${hub.base.replace('http', 'ws')}/ws`, options);
  clients.push(client);
  return client;
}

function ask(details: ApprovalDetails, name: string): void {
  const options = ['proceed_once', 'cancel'].map((id) => ({ id, name: id }));
  const call: WaitingCall = { id: 'call-1', name, args: {}, status: 'waiting', approval: { options, details } };
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } }, { type: 'tool', call });
}

const colours = { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] };
const sure = { question: 'Sure?', type: 'yesno' };

test('questions of the agent are a form for a client with forms', async () => {
  const alice = await connect({ capabilities: { elicitation: { form: {} } } });
  ask({ kind: 'questions', description: '', questions: [colours, sure] }, 'ask_user');
  const form = await until(() => alice.forms[0]);
  expect(form.request).toMatchObject({ mode: 'form', message: 'Which colour?\nSure?' });
  form.answer({ action: 'accept', content: { 0: 'blue', 1: 'Yes' } });
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_once', answers: { 0: 'blue', 1: 'Yes' } });
});

test('and one permission after another for a client without', async () => {
  const alice = await connect();
  ask({ kind: 'questions', description: '', questions: [colours, sure] }, 'ask_user');
  const first = await alice.question();
  expect(first.request).toMatchObject({
    toolCall: { title: 'Which colour?' },
    options: [{ name: 'red' }, { name: 'blue' }, { optionId: 'cancel' }],
  });
  first.answer('1');
  const second = await until(() => alice.asked[1]);
  expect(second.request.toolCall.title).toBe('Sure?');
  second.answer('0');
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_once', answers: { 0: 'blue', 1: 'Yes' } });
});

test('what has to be typed is not asked of a client without forms, and one who dismisses a question says no', async () => {
  const [plain, forms] = [await connect(), await connect({ capabilities: { elicitation: { form: {} } } })];
  ask({ kind: 'questions', description: '', questions: [{ question: 'Name?', type: 'text' }] }, 'ask_user');
  (await until(() => forms.forms[0])).answer({ action: 'decline' });
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'cancel' });
  expect(plain.asked).toEqual([]);
});

test('a plan is approved by a permission that shows it, or sent back with what to change', async () => {
  const alice = await connect();
  ask({ kind: 'plan', description: '# Plan\n1. read', planPath: '/plan.md' }, 'exit_plan_mode');
  const { request, answer } = await alice.question();
  expect(request.toolCall).toMatchObject({
    kind: 'switch_mode',
    content: [{ type: 'content', content: { type: 'text', text: '# Plan\n1. read' } }],
  });
  answer('cancel', { cosession: { feedback: 'shorter' } });
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'cancel', feedback: 'shorter' });
});
