import { expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { demoScript } from '../../src/demo/script.js';

const ask = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });
const ran = (name: string, output: string) => ({
  contents: [{ role: 'user', parts: [{ functionResponse: { name, response: { output } } }] }],
});
const said = (request: Parameters<typeof demoScript>[0]): string => JSON.stringify(demoScript(request).chunks);

test.each([
  ['hello', 'demo model of Cosession', 'I am'],
  ['run the tests', 'run_shell_command', '"thought":true'],
  ['edit something', 'write_file', '"thought":true'],
  ['please fail', 'read_file', 'does not exist'],
  ['ask me', 'ask_user', 'Which store'],
  ['think', '"thought":true', 'Reading the question'],
])('"%s" shows %s', (prompt, ...parts) => {
  for (const part of parts)
    expect(said(ask(prompt)).replaceAll('"},{"text":"', '').replaceAll('"}],[{"text":"', '')).toContain(part);
});

test('after a tool it says how that went', () => {
  expect(said(ran('write_file', 'ok'))).toContain('write_file');
  expect(said(ran('read_file', 'File not found'))).toContain('failed');
  expect(said(ran('write_file', '[Operation Cancelled]'))).toContain('You said no');
});

test('the server speaks the Gemini API: chunks as server-sent events, errors as Google errors, counts', async () => {
  const server = await startModelServer((request) =>
    JSON.stringify(request).includes('bad')
      ? { chunks: [], error: { status: 429, message: 'slow down' } }
      : { chunks: [[{ text: 'one' }], [{ text: 'two' }]], citations: ['https://a'] },
  );
  const post = (method: string, text: string) =>
    fetch(`${server.url}/v1beta/models/m:${method}?alt=sse`, { method: 'POST', body: JSON.stringify(ask(text)) });
  const lines = (await (await post('streamGenerateContent', 'hi')).text()).split('\r\n\r\n').filter(Boolean);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"finishReason":"STOP"');
  expect(lines[1]).toContain('"citationSources":[{"uri":"https://a"}]');
  const refused = await post('streamGenerateContent', 'bad');
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { message: 'slow down' } }]);
  expect(await (await post('countTokens', 'hi')).json()).toHaveProperty('totalTokens');
  expect((await post('generateContent', 'hi')).status).toBe(200);
  expect((await post('embedContent', 'hi')).status).toBe(404);
  expect(server.requests).toHaveLength(2);
  await server.close();
});
