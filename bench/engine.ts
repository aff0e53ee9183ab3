import { join } from 'node:path';
import type { ModelMethods } from './processes/model.js';
import { jsonRpc, rateOf, type Route, runTurn } from './support/agent-client.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { startHelper } from './support/helper.js';
import { sayChunks } from './support/order.js';
import { cpuOf } from './support/process-figures.js';
import { bareCoreServer, cosessionServe, type ServerProcess, startServerProcess } from './support/server-process.js';
import { median, medianRatio } from './support/statistics.js';

const chunks = 5000;
const rounds = 7;

type Side = { readonly what: string; readonly server: ServerProcess; readonly route: Route };
type Figures = { readonly rates: number[]; readonly cpu: number[] };

const bareLoop: Route = { path: '/', body: (prompt) => ({ prompt }) };
const messageStream: Route = {
  path: '/message/stream',
  body: (prompt) => ({ userMessage: { kind: 'text-content', text: prompt } }),
};

export const engine: Bench = {
  name: 'engine',
  question: `Chunks per second of a turn of ${chunks} chunks, from the model to a client, compared with a minimal loop on gemini-cli-core.`,
  target: 'at least 0.9 of the minimal loop',
  async run() {
    const folder = temporaryFolder();
    const model = startHelper<ModelMethods>(new URL('./processes/model.ts', import.meta.url));
    const servers: ServerProcess[] = [];
    try {
      const modelUrl = await model.call('open');
      const start = async (name: string, args: readonly string[]): Promise<ServerProcess> => {
        const server = await startServerProcess({ args, folder: join(folder.path, name), modelUrl });
        servers.push(server);
        return server;
      };
      const bare = await start('bare', bareCoreServer().args);
      const sqlite = await start('sqlite', cosessionServe('--store', 'sqlite:').args);
      const memory = await start('memory', cosessionServe('--store', 'memory:').args);
      return await measure([
        { what: 'minimal loop on core', server: bare, route: bareLoop },
        { what: 'JSON-RPC v0.3', server: sqlite, route: jsonRpc },
        { what: '/message/stream', server: sqlite, route: messageStream },
        { what: 'JSON-RPC v0.3, memory:', server: memory, route: jsonRpc },
      ]);
    } finally {
      await Promise.all([...servers, model].map((each) => each.stop()));
      folder.remove();
    }
  },
};

async function measure(sides: readonly Side[]): Promise<Row[]> {
  const figures = sides.map((): Figures => ({ rates: [], cpu: [] }));
  // The first two rounds are a warm-up and are not counted.
  for (let round = -2; round < rounds; round++) {
    for (const [index, { server, route, what }] of sides.entries()) {
      const before = cpuOf(server.pid);
      const turn = await runTurn(server.port, route, sayChunks(chunks));
      if (turn.receivedAt.length !== chunks) throw new Error(`${what}: ${turn.receivedAt.length} of ${chunks} arrived`);
      if (round < 0) continue;
      figures[index]?.rates.push(rateOf(turn));
      figures[index]?.cpu.push(((cpuOf(server.pid) - before) * 1000) / chunks);
    }
  }
  const floor = figures[0] ?? { rates: [], cpu: [] };
  return sides.map(({ what }, index) => {
    const { rates, cpu } = figures[index] ?? floor;
    return {
      what,
      'chunks/s': median(rates),
      'over the loop': medianRatio(rates, floor.rates),
      'CPU µs per chunk': median(cpu),
      'CPU ratio': medianRatio(cpu, floor.cpu),
    };
  });
}
