import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The bytes of the next reply, write by write. Our bundle of core reads them in a way of its own (scripts/core-patches.js). */
let reply: readonly (string | Buffer)[] = [];
/** How the next requests are answered instead, one after the other. */
let answers: ((response: ServerResponse) => void)[] = [];
const asked: IncomingMessage[] = [];

const server = createServer((request, response) => {
  asked.push(request);
  request.resume().once('end', () => void (answers.shift() ?? answer)(response));
});
const modelUrl = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
afterAll(() => closeServer(server));

async function answer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const bytes of reply) await new Promise<void>((written) => response.write(bytes, () => written()));
  response.end();
}

const event = (text: string, end?: 'STOP', blankLine = '\r\n\r\n'): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(end && { finishReason: end }) }] })}${blankLine}`;

test('a reply is read whole however its bytes are cut, hooks see it, and an error in its place ends the turn', async () => {
  const folder = temporaryFolder();
  const settings = join(folder, 'workspace', '.gemini');
  mkdirSync(settings, { recursive: true });
  const names = ['AfterModel', 'BeforeModel', 'BeforeToolSelection'];
  const content = { role: 'model', parts: ['other words'] };
  const changed = { hookSpecificOutput: { llm_response: { candidates: [{ content, finishReason: 'STOP' }] } } };
  const output = { AfterModel: changed };
  const hooks = Object.fromEntries(
    names.map((name) => {
      const command = `touch ${name}.hooked; echo '${JSON.stringify({ ...output }[name] ?? {})}'`;
      return [name, [{ hooks: [{ type: 'command', command }] }]];
    }),
  );
  const hooked = (): string[] => readdirSync(join(folder, 'workspace')).filter((name) => name.endsWith('.hooked'));
  const served = await startServe({ folder, modelUrl });
  const say = async (contextId: string) => {
    const userMessage = { kind: 'text-content', text: 'go on' };
    const events = await eventsOf(await served.post('message/stream', { contextId, userMessage }));
    const text = events.map(({ data }) => (data['kind'] === 'text-content' ? String(data['text']) : '')).join('');
    return { text, end: events.at(-1)?.data };
  };

  const bytes = Buffer.from(event('Grüße ') + event('aus ', undefined, '\n\n') + event('{"error": 1} 🐚', 'STOP'));
  reply = Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));
  expect(await say('in-bytes')).toMatchObject({ text: 'Grüße aus {"error": 1} 🐚', end: { state: 'completed' } });
  expect(hooked()).toEqual([]);

  writeFileSync(join(settings, 'settings.json'), JSON.stringify({ hooks, general: { maxAttempts: 1 } }));
  reply = [event('hello', 'STOP')];
  expect(await say('with-a-hook')).toMatchObject({ text: 'other words', end: { state: 'completed' } });
  expect(hooked().toSorted()).toEqual(names.map((name) => `${name}.hooked`));

  const error = { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'no such luck' } };
  reply = [JSON.stringify(error)];
  const failed = await say('with-an-error');
  expect(failed.end).toMatchObject({ state: 'failed' });
  expect(JSON.stringify(failed.end)).toContain('no such luck');
});

test('a reply may be compressed, come from elsewhere, be an error or break off, as with fetch', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl, env: { GEMINI_MODEL: 'gemini-2.5-flash' } });
  const say = async () => {
    const userMessage = { kind: 'text-content', text: 'go on' };
    const events = await eventsOf(await served.post('message/stream', { userMessage }));
    return JSON.stringify(events.map(({ data }) => data));
  };
  const inGzip = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    response.end(gzipSync(event('packed', 'STOP')));
  };
  asked.length = 0;
  answers = [inGzip];
  expect(await say()).toContain('"packed"');
  expect(asked[0]?.headers).toMatchObject({
    accept: '*/*',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
    'x-goog-api-key': expect.any(String) as string,
  });

  asked.length = 0;
  answers = ['first', 'again'].map(() => (response: ServerResponse) => {
    response.writeHead(307, { location: '/elsewhere' }).end('over there');
  });
  reply = [event('moved', 'STOP')];
  expect(await say()).toContain('"moved"');
  expect(asked.map(({ method, url }) => `${method} ${url?.replace(/.*:/, '')}`)).toEqual([
    'POST streamGenerateContent?alt=sse',
    'POST streamGenerateContent?alt=sse',
    'POST /elsewhere',
  ]);

  answers = [(response) => response.writeHead(400, { 'content-type': 'text/plain' }).end('not like this')];
  expect(await say()).toContain('"state":"failed","final":true,"error":"not like this"');

  answers = [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('half a '), () => response.destroy());
    },
  ];
  reply = [event('whole', 'STOP')];
  expect(await say()).toMatch(/"half a ".*"whole".*"completed"/);
});
