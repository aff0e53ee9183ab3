import { type Case, measureAll } from './fan-out.js';
import type { Bench } from './support/bench.js';
import { withBothSides } from './support/side.js';

const cases: readonly Case[] = [
  { clients: 1, perTick: 100, deliveries: 100_000 },
  { clients: 50, perTick: 100, deliveries: 200_000 },
  { clients: 50, perTick: 1, deliveries: 100_000 },
];

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params, _meta: ' '.repeat(126) });

/** Two replies and the list of commands arrive before the load. */
const greeting = {
  hello: [
    call(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} }),
    call(2, 'session/new', { cwd: '/', mcpServers: [] }),
  ],
  texts: 3,
};

export const acp: Bench = {
  name: 'acp',
  question:
    'Updates per second to ACP clients under a burst: our server compared with bare `ws` broadcasting the same bytes.',
  target: 'at least 0.6 of bare ws with one client, more than bare ws with 50',
  run: ({ say }) =>
    withBothSides((ours, bare) => measureAll(ours, bare, cases, say), {
      bare: new URL('./processes/bare-acp-server.ts', import.meta.url),
      greeting,
    }),
};
