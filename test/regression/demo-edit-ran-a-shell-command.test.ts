import { expect, test } from 'vitest';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const serve = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9', args: ['--demo'] }, 'file');

test.each([
  ['edit a file', 'write_file'],
  ['run a command', 'run_shell_command'],
  ['list the files', 'run_shell_command'],
])('the demo does what its welcome offers: "%s"', async (text, tool) => {
  const response = await serve.post('message/stream', { userMessage: { kind: 'text-content', text } });
  const story = await response.text();
  const tools = new Set([...story.matchAll(/"toolName":"(\w+)"/g)].map(([, name]) => name));
  expect([story.slice(0, 500), ...tools]).toEqual([story.slice(0, 500), tool]);
});
