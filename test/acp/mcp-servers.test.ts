import { expect, test } from 'vitest';
import type { McpServer } from '../../src/domain/mcp-server.js';
import { toAgentServers } from '../../src/engine/acp/agent/agent-servers.js';
import { withClientServers } from '../../src/engine/headless/client-servers.js';
import { fromMcpServers } from '../../src/dialects/acp/mcp-servers.js';
import { fromMcpServersV2 as fromV2Servers } from '../../src/dialects/acp-v2/mcp-servers.js';
import { ClientServers } from '../../src/tasks/client-servers.js';

const wire = {
  stdio: { name: 'files', command: 'mcp-files', args: ['--all'], env: [{ name: 'KEY', value: 'k' }] },
  http: { type: 'http', name: 'web', url: 'https://x.test/mcp', headers: [{ name: 'A', value: 'b' }] },
  sse: { type: 'sse', name: 'old', url: 'https://x.test/sse', headers: [] },
} as const;
const servers: McpServer[] = [
  { type: 'stdio', name: 'files', command: 'mcp-files', args: ['--all'], env: { KEY: 'k' } },
  { type: 'http', name: 'web', url: 'https://x.test/mcp', headers: { A: 'b' } },
  { type: 'sse', name: 'old', url: 'https://x.test/sse', headers: {} },
];

test('servers of a client are read, and told to an agent as far as it can reach them', () => {
  const given = Object.values(wire).map((server) => JSON.parse(JSON.stringify(server)) as never);
  expect(fromMcpServers(given)).toEqual(servers);
  expect(toAgentServers(servers, { http: true, sse: true })).toEqual(Object.values(wire));
  expect(toAgentServers(servers, { http: false, sse: false })).toEqual([wire.stdio]);
});

test('version 2 leaves out what is empty', () => {
  const bare = [
    { type: 'stdio', name: 'files', command: '/bin/mcp-files' },
    { type: 'http', name: 'web', url: 'https://x.test/mcp' },
  ] as const;
  expect(fromV2Servers(bare)).toEqual([
    { ...bare[0], args: [], env: {} },
    { ...bare[1], headers: {} },
  ]);
});

test("core gets them in the task's folder; none takes the place of one in the settings", () => {
  const ofSettings = { web: { command: 'ours', trust: true } };
  expect(withClientServers(ofSettings, servers, '/project')).toEqual({
    files: { command: 'mcp-files', args: ['--all'], env: { KEY: 'k' }, cwd: '/project' },
    web: { command: 'ours', trust: true },
    old: { type: 'sse', url: 'https://x.test/sse', headers: {} },
  });
});

test('a task has at most 32 of them', () => {
  const many = Array.from({ length: 33 }, (_, index) => ({ ...servers[0], name: `s${index}` }) as McpServer);
  const known = new ClientServers();
  known.check(many.slice(1));
  expect(() => known.check(many)).toThrow('a task can have 32 MCP servers of a client, not 33');
});
