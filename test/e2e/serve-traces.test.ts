import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWebhook } from '../support/webhook.js';

type Value = { readonly stringValue?: string; readonly intValue?: number };
type WireSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: Pick<WireSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
};

const attributesOf = ({ attributes }: Pick<WireSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const script = scriptOf({
  secret: [call('run_shell_command', { command: 'echo done >> done.log', description: 'says so' })],
});
const model = await startModelServer(script);
const collector = await openWebhook();
afterAll(async () => {
  collector.close();
  await model.close();
});

test('a collector receives request, turn and tool call as one trace, below that of the caller', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin, OTEL_SERVICE_NAME: 'my-agents' };
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, env });
  const [traceId, callerSpan] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const prompt = { contextId: 'one', userMessage: { kind: 'text-content', text: 'a secret prompt' } };
  const traceparent = `00-${traceId}-${callerSpan}-01`;
  const asked = await eventsOf(await served.post('message/stream', prompt, { traceparent, 'x-request-id': 'r1' }));
  const question = asked.find(({ data }) => data['kind'] === 'tool-call-confirmation')?.data;
  const answer = { kind: 'tool-call-confirmation', toolCallId: question?.['toolCallId'], approved: true };
  await eventsOf(await served.post('message/stream', { taskId: 'one', userMessage: answer }));
  await fetch(`${served.base}/health`);
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);

  expect(new Set(collector.posted.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  const exports = collector.posted.flatMap(({ body }) => (body as Export).resourceSpans);
  expect(attributesOf(exports[0]!.resource)).toMatchObject({ 'service.name': 'my-agents' });
  const spans = exports.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [first, second] = named('POST /message/stream');
  const [turn] = named('turn');
  const [tool] = named('execute_tool run_shell_command');
  expect(spans).toHaveLength(4);
  expect(first).toMatchObject({ traceId, parentSpanId: callerSpan });
  expect(turn).toMatchObject({ traceId, parentSpanId: first?.spanId });
  expect(tool).toMatchObject({ traceId, parentSpanId: turn?.spanId });
  expect(second?.traceId).not.toBe(traceId);
  expect(attributesOf(first!)).toMatchObject({
    'http.route': '/message/stream',
    'http.response.status_code': 200,
    'cosession.request.id': 'r1',
    'cosession.task.id': 'one',
  });
  expect(attributesOf(turn!)).toMatchObject({
    'cosession.task.id': 'one',
    'cosession.turn.state': 'completed',
    'gen_ai.request.model': expect.stringContaining('gemini') as string,
    'gen_ai.usage.output_tokens': 16,
  });
  expect(attributesOf(tool!)).toMatchObject({
    'cosession.approval.wait_ms': expect.any(Number) as number,
    'cosession.approval.outcome': 'proceed_once',
    'cosession.tool.run_ms': expect.any(Number) as number,
    'cosession.tool.status': 'succeeded',
  });
  expect(JSON.stringify(collector.posted)).not.toContain('secret');
});

test('a collector that is away is logged, and nothing else', async () => {
  const env = {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  const served = await startServe({
    folder: temporaryFolder(),
    modelUrl: model.url,
    env: { ...env, OTEL_EXPORTER_OTLP_TIMEOUT: '500' },
  });
  expect((await served.post('tasks', {})).status).toBe(201);
  await served.logged('traces');
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
});
