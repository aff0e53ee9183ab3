import { parseArgs } from 'node:util';
import { openConformanceAgent } from './open-conformance-agent.js';

/** `npm run conformance-agent -- --port P --grpc-port G`: what conformance kits are pointed at. See docs/conformance.md. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'grpc-port': { type: 'string', default: '0' },
  },
});

const agent = await openConformanceAgent({
  port: Number(values.port),
  grpcPort: Number(values['grpc-port']),
  streamingTimeoutMs: 1000 * Number(process.env['TCK_STREAMING_TIMEOUT'] ?? 2),
  isLegacyKit: process.env['TCK03'] === '1',
});
process.stdout.write(`conformance agent on ${agent.url}, gRPC on 127.0.0.1:${agent.grpcPort ?? 0}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void agent.close());
