import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Every numbered requirement of seed 000 and every section of seed 001; of 002 and 003 what a client of the server sees. */
const requirements: Readonly<Record<string, string>> = {
  '000-2.1': '--a2a-port <port>, off by default',
  '000-2.2.1': 'the TUI starts as usual',
  '000-2.2.2': 'a server listens on the port on localhost',
  '000-2.2.3': 'both share one session and configuration',
  '000-3.1': 'Express, ws, A2A',
  '000-3.2.1': 'GET /.well-known/agent-card.json',
  '000-3.2.2': 'GET /ws',
  '000-4.1': 'text, thoughts and tool updates are broadcast',
  '000-4.2.1': 'all clients share one virtual task id',
  '000-4.2.2': 'any message of any client is a new turn',
  '000-5.1.1': 'a permission is broadcast as TOOL_CALL_UPDATE',
  '000-5.1.2': 'it is PENDING with a confirmation_request',
  '000-5.1.3': 'with options, details and a correlation id',
  '000-5.2.1': 'selected_option_id and modified_details are read',
  '000-5.2.3': 'the CLI takes it as a click in the TUI',
  '000-5.2.2': 'TOOL_CONFIRMATION_RESPONSE is published on the MessageBus',
  '000-5.2.4': 'EXECUTING or CANCELLED is broadcast',
  '000-6.1.1': 'a client resolves the dialog in the TUI',
  '000-6.1.2': 'the TUI resolves the request for all clients',
  '000-6.1.3': 'the first response counts, later ones are told',
  '000-6.2.1': 'messages of clients appear in the TUI with [A2A]',
  '000-6.2.2': 'and so does the answer',
  '000-7.1': 'one Config, one chat',
  '000-7.2': 'localhost only',
  '000-7.3': 'races are decided',
  '000-8.1': 'gemini --a2a-port 1234',
  '000-8.2': 'a client prompts and receives',
  '000-8.3': 'what is typed in the TUI is received',
  '000-8.4': 'prompts of clients are displayed',
  '000-8.5': 'permission dialogs are resolved by clients',
  '001-1': 'starting, agent card',
  '001-2': 'HTTP and WebSocket',
  '001-3': 'prompt and updates',
  '001-4': 'confirmation',
  '001-5': 'wscat and debug logs',
  '002-1': 'event types',
  '002-2': 'task states',
  '002-3.1': 'agent settings',
  '002-3.2': 'task metadata',
  '002-3.3': 'tool call confirmation',
  '002-3.4': 'tool call update',
  '002-4.1': 'core endpoints',
  '002-4.2': 'custom endpoints',
  '002-5': 'agent card',
  '002-6': 'event flow example',
  '002-7': 'tool call lifecycle',
  '002-8': 'responding to confirmations',
  '003-3.2': 'events of a task',
  '003-4': 'the executor: many tasks at once',
  '003-5.1': 'POST /tasks',
  '003-5.2': 'POST /tasks/:taskId/execute',
  '003-5.3': 'GET /tasks/:taskId',
  '003-5.4': 'GET /tasks',
  '003-5.5': 'request storage: request id and task id',
  '003-6': 'tasks are persisted and loaded',
  '003-7': 'configuration per task',
  '003-8': 'commands and list-extensions',
  '003-9': 'event system',
  '003-10.1': 'GET /health',
  '003-10.2': 'environment variables',
  '003-10.3': 'Docker',
  '003-11.2': 'authentication',
  '003-11.3': 'rate limits',
  '003-11.4': 'a limit on tasks at once',
  '003-11.5': 'other stores than Google Cloud Storage',
  '003-11.6': 'tool confirmations are handled remotely',
  '003-11.7': 'tasks leave memory',
  '003-11.8': 'error recovery',
};

const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== 'requirements.test.ts')
  .map((file) => readFileSync(join('test', file), 'utf8'));

test.each(Object.entries(requirements))('[%s] %s: has a test that carries its id', (id) => {
  const titles = /(?:test|describe)(?:\.each\(\w+\)|\.each[^]*?\]\)|\.each<[^]*?\]\))?\(\s*(['"`])(.*?)\1/g;
  const cited = sources.flatMap((source) => [...source.matchAll(titles)].map((match) => match[2] ?? ''));
  expect(cited.filter((title) => title.includes(`[${id}]`)).length).toBeGreaterThan(0);
});

test('no test cites an id that does not exist', () => {
  const cited = sources.flatMap((source) =>
    [...source.matchAll(/\[(00[0-3]-[\d.]+)\]/g)].map((match) => match[1] ?? ''),
  );
  expect(cited.filter((id) => !(id in requirements))).toEqual([]);
});
