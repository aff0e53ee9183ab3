import { startModelServer } from '../src/demo/model-server.js';
import { type ClusteredServers, startCluster } from '../test/support/clustered-servers.js';
import { startNats } from '../test/support/nats.js';
import { startPostgres } from '../test/support/postgres.js';
import { failOver } from './cluster/fail-over.js';
import { addedLatency, fanOut } from './cluster/readers.js';
import { cpuPerMessage, promptRate } from './cluster/work.js';
import type { Bench, Row } from './support/bench.js';

export const cluster: Bench = {
  name: 'cluster',
  question:
    'What it costs that a client is at another server than its task: three servers on one PostgreSQL and one NATS server.',
  target: 'an event reaches a reader at another server at most 1 ms later (p50); fail-over in about a second',
  needs: 'PostgreSQL and nats-server, which it installs with apt-get if they are missing',
  async run({ say, isQuick }) {
    const replies = { chunks: 1, pauseMs: 0 };
    const model = await startModelServer(() => ({
      pauseMs: replies.pauseMs,
      chunks: Array.from({ length: replies.chunks }, (_, index) => [{ text: `word ${index} ` }]),
    }));
    const postgres = await startPostgres();
    const nats = await startNats();
    const start = async (count: number): Promise<ClusteredServers> =>
      startCluster({
        modelUrl: model.url,
        store: await postgres.newPlace(),
        bus: nats.url,
        count,
        args: ['--rate-limit', '0', '--max-running', '400'],
      });
    const servers = await start(3);
    const bench = {
      servers,
      start,
      say,
      isQuick,
      reply: (chunks: number, pauseMs: number) => Object.assign(replies, { chunks, pauseMs }),
    };
    try {
      const rows: Row[] = [];
      for (const part of [addedLatency, fanOut, cpuPerMessage, promptRate, failOver]) rows.push(...(await part(bench)));
      return rows;
    } finally {
      await servers.stop();
      await nats.stop();
      await postgres.remove();
      await model.close();
    }
  },
};
