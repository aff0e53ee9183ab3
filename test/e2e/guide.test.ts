import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { type Live, readyPrompt, startLive } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { scriptOf } from '../support/scripts.js';

const run = promisify(execFile);
let live: Live;
let port: number;
let sessionId: string;

beforeAll(async () => {
  live = await startLive({ script: scriptOf({}) });
  await live.screen.waitFor(readyPrompt);
  ({ port, sessionId } = await live.entry());
});
afterAll(() => live.stop());

/** curl as the guide has it. */
async function curl(...args: string[]): Promise<string> {
  return (await run('curl', ['-sS', '--max-time', '120', ...args])).stdout;
}

test('[001-1] curl fetches the agent card from localhost', async () => {
  const card = JSON.parse(await curl(`http://localhost:${port}/.well-known/agent-card.json`)) as Record<
    string,
    unknown
  >;
  expect(card).toMatchObject({ capabilities: { extensions: [{ uri: extensionUri }, {}, {}] } });
});

test('[000-3.1] the official A2A SDK reads the card', async () => {
  const card = await new DefaultAgentCardResolver().resolve(`http://127.0.0.1:${port}`);
  expect(card.name).toBe('Gemini CLI Agent');
  expect(card.capabilities?.streaming).toBe(true);
});

test('[001-2] curl creates the task and streams a message', async () => {
  const created = JSON.parse(
    await curl('-X', 'POST', '-H', 'Content-Type: application/json', `http://localhost:${port}/tasks`),
  ) as { sessionId: string };
  expect(created.sessionId).toBe(sessionId);
  const body = JSON.stringify({ message: { content: { text: 'hello from curl' } } });
  const stream = await curl(
    '-N',
    '-H',
    'Content-Type: application/json',
    '-d',
    body,
    `http://localhost:${port}/tasks/${sessionId}/messages/stream`,
  );
  expect(stream).toContain('"kind":"TEXT_CONTENT","content":{"text":"You said: hello from curl"}');
  expect(stream.trim().split('\n').at(-1)).toContain('"state":"completed","final":true');
  await live.screen.waitFor('[A2A] hello from curl');
});

test('[001-5] [001-2] wscat connects, sees what is typed in the terminal, and prompts', async () => {
  const wscat = new Screen(
    process.execPath,
    [resolve('node_modules/wscat/bin/wscat'), '-c', `ws://localhost:${port}/ws`],
    { cols: 400 },
  );
  await wscat.waitFor('"kind":"SNAPSHOT"');
  await live.screen.submit('typed for wscat');
  await wscat.waitFor('You said: typed for wscat');
  wscat.type('{"jsonrpc":"2.0","method":"message/stream","params":{"message":{"content":{"text":"sent by wscat"}}}}\r');
  await wscat.waitFor('You said: sent by wscat');
  await live.screen.waitFor('[A2A] sent by wscat');
  await wscat.stop();
});
