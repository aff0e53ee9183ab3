import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

type Asked = {
  readonly systemInstruction: unknown;
  readonly tools: readonly [{ readonly functionDeclarations: readonly { name: string; description: string }[] }];
  readonly contents: readonly unknown[];
};

/** What the model was sent, byte for byte. Our bundle of core puts it together from parts that it keeps (scripts/request-patches.js). */
const sent: string[] = [];
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  sent.push(await text(request));
  const said = { content: { role: 'model', parts: [{ text: 'Grüße' }] }, finishReason: 'STOP' };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ candidates: [said] })}\r\n\r\n`);
};
const server = createServer((request, response) => void answer(request, response));
const modelUrl = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
afterAll(() => closeServer(server));

test('a request is what JSON.stringify would write, with the tools of the moment and the whole conversation', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl, env: { GEMINI_MODEL: 'gemini-2.5-flash' } });
  const say = async (contextId: string, words: string): Promise<Asked> => {
    const userMessage = { kind: 'text-content', text: words };
    await eventsOf(await served.post('message/stream', { contextId, userMessage }));
    const body = sent.at(-1) ?? '';
    const asked = JSON.parse(body) as Asked;
    expect(body).toBe(JSON.stringify(asked));
    expect(JSON.stringify(asked.contents.at(-1))).toContain(words);
    return asked;
  };
  const names = ({ tools: [{ functionDeclarations }] }: Asked): string[] =>
    functionDeclarations.map(({ name }) => name);

  const first = await say('one', 'Hello 🐚');
  expect(names(first)).toEqual(expect.arrayContaining(['write_file', 'run_shell_command', 'enter_plan_mode']));
  const next = await say('one', 'Once more');
  expect(next.tools).toEqual(first.tools);
  expect(next.systemInstruction).toEqual(first.systemInstruction);
  expect(next.contents.length).toBe(first.contents.length + 2);
  expect((await say('two', 'Another task')).tools).toEqual(first.tools);

  const client = await WireClient.connect(`${served.base.replace('http', 'ws')}/acp`);
  await client.call('initialize', { protocolVersion: 1 });
  await client.call('session/load', { sessionId: 'one', cwd: join(folder, 'workspace'), mcpServers: [] });
  await client.call('session/set_mode', { sessionId: 'one', modeId: 'plan' });
  const planned = await say('one', 'Plan it');
  expect(names(planned)).toContain('exit_plan_mode');
  expect(names(planned)).not.toContain('enter_plan_mode');
  expect(JSON.stringify(planned.tools)).toContain('ONLY FOR PLANS');
  expect(planned.systemInstruction).not.toEqual(first.systemInstruction);
  expect((await say('two', 'Not here')).tools).toEqual(first.tools);

  await client.call('session/set_mode', { sessionId: 'one', modeId: 'default' });
  expect((await say('one', 'Do it')).tools).toEqual(first.tools);
});
