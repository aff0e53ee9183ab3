import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

const stream = (body: unknown, query = '', headers: Record<string, string> = {}) =>
  hub.post(`tasks/session-1/messages/stream${query}`, body, headers);
const hello = { message: { content: { text: 'hello' } } };

/** The events of a finished stream, each with its SSE id. */
async function eventsOf(response: Response): Promise<{ id: number; data: Record<string, unknown> }[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('id:'));
  return blocks.map((block) => {
    const [id = '', data = ''] = block.split('\n');
    return { id: Number(id.slice(4)), data: JSON.parse(data.slice(6)) as Record<string, unknown> };
  });
}

describe('[001-1] [000-3.2.1] [004-3.1] the agent card', () => {
  test.each(['agent-card.json', 'agent.json'])('is served as %s with the extension', async (name) => {
    const response = await fetch(`${hub.base}/.well-known/${name}`);
    expect(await response.json()).toMatchObject({
      name: 'Gemini CLI Agent',
      url: hub.server.url,
      capabilities: { streaming: true, extensions: [{ uri: extensionUri, required: false }, {}, {}] },
      skills: [{ id: 'code_generation' }],
    });
  });
});

describe('[001-2] HTTP', () => {
  test('POST /tasks returns the session id', async () => {
    const response = await hub.post('tasks', '');
    expect([response.status, await response.json()]).toEqual([
      201,
      { taskId: 'session-1', sessionId: 'session-1', contextId: 'session-1', state: 'submitted' },
    ]);
  });

  test('messages/stream sends one turn as server-sent events and ends with it', async () => {
    const answering = stream(hello);
    await until(() => hub.engine.started.length);
    hub.engine.say('hi');
    hub.engine.end();
    const response = await answering;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await eventsOf(response);
    expect(events.map(({ data }) => data['kind'])).toEqual([
      'USER_MESSAGE',
      'STATE_CHANGE',
      'TEXT_CONTENT',
      'STATE_CHANGE',
    ]);
    expect(events.map(({ id, data }) => id === data['seq'])).toEqual([true, true, true, true]);
    expect(events.at(-1)?.data).toMatchObject({ state: 'completed', final: true });
  });

  test('it stays open while an approval waits, and shows only its own turn', async () => {
    const first = stream(hello);
    await until(() => hub.engine.started.length);
    const second = stream({ message: { content: { text: 'second' } } });
    await until(() => hub.session.queued);
    hub.engine.report({ type: 'tool', call: waitingShell() });
    hub.session.answer('call-1', { optionId: 'cancel' }, { surface: 'tui' });
    hub.engine.end();
    hub.engine.say('for the second');
    hub.engine.end();
    const kinds = (await eventsOf(await first)).map(({ data }) => data['state'] ?? data['status'] ?? data['kind']);
    expect(kinds).toEqual([
      'USER_MESSAGE',
      'working',
      'PENDING',
      'input-required',
      'CANCELLED',
      'working',
      'completed',
    ]);
    const other = (await eventsOf(await second)).map(({ data }) => data['content']);
    expect(other).toContainEqual({ text: 'for the second' });
    expect(JSON.stringify(other)).not.toContain('hello');
  });

  test('an approval can be answered on a stream of its own', async () => {
    const asking = stream(hello);
    await until(() => hub.engine.started.length);
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: 'call-1', selected_option_id: 'proceed_once' };
    const answering = stream({ message: { content: { data } } });
    await until(() => hub.engine.answered.length);
    hub.engine.end();
    expect((await eventsOf(await answering)).at(-1)?.data).toMatchObject({ state: 'completed' });
    expect((await eventsOf(await asking)).at(-1)?.data).toMatchObject({ state: 'completed' });
    const late = await stream({ message: { content: { data } } });
    expect([late.status, await late.json()]).toMatchObject([409, { error: { code: 'already-answered' } }]);
  });

  test('a client that lost its stream comes back with its messageId and Last-Event-ID and misses nothing', async () => {
    const message = { message: { messageId: 'm1', content: { text: 'hello' } } };
    const controller = new AbortController();
    await fetch(`${hub.base}/tasks/session-1/messages/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: controller.signal,
    });
    controller.abort();
    hub.engine.say('one');
    const again = stream(message, '', { 'last-event-id': '2' });
    await until(() => hub.session.seq === 3);
    hub.engine.say('two');
    hub.engine.end();
    const events = await eventsOf(await again);
    expect(events.map(({ id }) => id)).toEqual([3, 4, 5]);
    expect(hub.engine.started).toHaveLength(1);
  });

  test('GET /tasks/{id} describes the task, POST /tasks/{id}/cancel stops it', async () => {
    const answering = stream(hello);
    await until(() => hub.engine.started.length);
    expect(await (await fetch(`${hub.base}/tasks/session-1`)).json()).toMatchObject({
      id: 'session-1',
      status: { state: 'working' },
    });
    expect((await hub.post('tasks/session-1/cancel', '')).status).toBe(202);
    hub.engine.end('canceled');
    expect((await eventsOf(await answering)).at(-1)?.data).toMatchObject({ state: 'canceled', final: true });
    expect((await hub.post('tasks/session-1/cancel', '')).status).toBe(409);
  });
});

describe('[000-7.2] security', () => {
  test('the server listens on 127.0.0.1 only', () => {
    expect(hub.server.url).toBe(`http://127.0.0.1:${hub.server.port}/`);
  });

  test('with a required token nothing is served without it but the card that says so', async () => {
    const closed = await serveHub({}, { requireToken: true });
    for (const path of [
      'tasks/session-1',
      'openapi.json',
      'a2a/rest/extendedAgentCard',
      '.well-known/agent-card.json/',
    ]) {
      const response = await fetch(`${closed.base}/${path}`);
      expect([response.status, await response.json()]).toMatchObject([401, { error: {} }]);
    }
    const card = await fetch(`${closed.base}/.well-known/agent-card.json?x=1`);
    expect(await card.json()).toMatchObject({ security: [{ bearer: [] }] });
    expect((await closed.post('.well-known/agent-card.json', {})).status).toBe(401);
    await closed.stop();
  });
});
