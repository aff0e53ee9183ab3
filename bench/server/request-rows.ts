import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { plainJsonRpc, plainJsonRpcV1, type Route, jsonRpc, runTurn } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { sayChunks } from '../support/order.js';
import { median } from '../support/statistics.js';
import type { Run, Running } from './run.js';

const requests = 20;
const turns = 4;

/** Single requests: a new task, a new connection, and a turn as a client without the extension sees it. */
export async function requestRows(running: readonly Running[], { attempt, figures, rounds, say }: Run): Promise<void> {
  const floor = running.find(({ side }) => side === 'floor');
  for (let round = 0; round <= rounds; round++) {
    say(`requests, round ${round} of ${rounds}`);
    for (const each of running) {
      const { side, agent } = each;
      const { createTask } = agent;
      await attempt(side, async () => {
        const created = createTask ? await times(requests, () => createTask()) : [];
        if (round > 0) figures.add(side, 'POST /tasks, ms', ...created);
      });
      if (!floor || (side !== 'sqlite:' && side !== 'memory:')) continue;
      const { old, modern } = await plainTurns(each);
      const check = (await connectionMs(each)) - (await connectionMs(floor));
      if (round === 0) continue;
      figures.add(side, 'plain A2A v0.3: first text, over that with the extension', old);
      figures.add(side, 'plain A2A v1.0: first text, over that with the extension', modern);
      figures.add(side, 'a new connection without a token costs, ms', check);
    }
  }
}

/** How long the first text takes, over the same with the extension. */
async function plainTurns({ process: { port } }: Running): Promise<{ old: number; modern: number }> {
  const firstTexts = { known: [] as number[], old: [] as number[], modern: [] as number[] };
  const routes: Record<keyof typeof firstTexts, Route> = { known: jsonRpc, old: plainJsonRpc, modern: plainJsonRpcV1 };
  for (let turn = 0; turn < turns; turn++) {
    for (const name of ['known', 'old', 'modern'] as const) {
      const startedAt = now();
      const { receivedAt } = await runTurn(port, routes[name], sayChunks(10, 20));
      firstTexts[name].push((receivedAt[0] ?? Number.NaN) - startedAt);
    }
  }
  const known = median(firstTexts.known);
  return { old: median(firstTexts.old) / known, modern: median(firstTexts.modern) / known };
}

/** What a request on a new connection takes longer than one on an open connection. */
async function connectionMs({ process: { port } }: Running): Promise<number> {
  const open = new Agent({ keepAlive: true, maxSockets: 1 });
  const onNew = await times(requests, () => getCard(port, false));
  const onOpen = await times(requests, () => getCard(port, open));
  open.destroy();
  return median(onNew) - median(onOpen);
}

async function getCard(port: number, agent: Agent | false): Promise<void> {
  const call = get({ host: '127.0.0.1', port, path: '/.well-known/agent-card.json', agent });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
}

async function times(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = now();
    await act();
    all.push(now() - startedAt);
  }
  return all;
}
