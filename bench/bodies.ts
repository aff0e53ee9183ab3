import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { limits } from '../src/server/http/limits.js';
import type { Bench, Row } from './support/bench.js';
import { atExit, temporaryFolder } from './support/clean-up.js';

const rounds = 5;
const json = { 'content-type': 'application/json' };

/** Loaded into the server. When asked, reports the longest time its event loop was busy since the last question. */
const watch = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send(delay.max / 1e6);
  delay.reset();
});`;

/** Each shape holds as many values as a body may have, or as fit into it. */
const values = limits.jsonValues - 100;
const shapes: readonly (readonly [string, unknown])[] = [
  ['one short part', [{ kind: 'text', text: 'hello' }]],
  ['1 MiB of text', [{ kind: 'text', text: 'a'.repeat(limits.messageBytes - 1000) }]],
  ['numbers for parts', Array<number>(values).fill(1)],
  ['empty parts', Array.from({ length: values / 2 }, () => ({}))],
  ['parts of another type', Array.from({ length: values / 2 }, () => ({ text: 1 }))],
  ['text parts', Array.from({ length: Math.floor(values / 3) }, () => ({ kind: 'text', text: 'a' }))],
  ['keys for parts', Object.fromEntries(Array.from({ length: values }, (_, n) => [n, 0]))],
  ['500,000 numbers, refused', Array<number>(500_000).fill(1)],
];

const routes: readonly (readonly [string, string, (parts: unknown) => object])[] = [
  ['A2A v0.3', '/', (parts) => rpc('message/send', parts)],
  ['/message/stream', '/message/stream', (parts) => ({ taskId: 'nowhere', userMessage: { parts } })],
];

export const bodies: Bench = {
  name: 'bodies',
  question:
    'The longest time that one request under 1 MiB keeps the event loop of `cosession serve` from all others, in ms.',
  target: 'no shape of a body costs much more than a text of the same size',
  async run({ say }) {
    const { path: folder, remove } = temporaryFolder();
    const child = fork('dist/main.js', ['serve', '--demo', '--port', '0', '--rate-limit', '0'], {
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(watch)}`],
      env: { ...process.env, COSESSION_STATE_DIR: folder },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    const stop = atExit(() => child.kill('SIGKILL'));
    try {
      return await measure(child, await addressOf(child), say);
    } finally {
      stop();
      remove();
    }
  },
};

async function measure(child: ChildProcess, base: string, say: (progress: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [shape, parts] of shapes) {
    say(shape);
    const row: Record<string, string | number> = { shape };
    for (const [route, path, wrap] of routes) {
      const body = JSON.stringify(wrap(parts));
      row[route] = await usual(child, () => fetch(`${base}${path}`, { method: 'POST', headers: json, body }));
    }
    rows.push(row);
  }
  return rows;
}

/** The median of several rounds: the machine delays some, and the monitor misses some. */
async function usual(child: ChildProcess, send: () => Promise<Response>): Promise<number> {
  const seen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await busiest(child);
    await (await send()).text();
    seen.push(await busiest(child));
  }
  return seen.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

async function busiest(child: ChildProcess): Promise<number> {
  child.send('');
  const [ms] = (await once(child, 'message')) as [number];
  return ms;
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for (;;) {
    const url = /"url":"([^"]+)\/"/.exec(text)?.[1];
    if (url !== undefined) return url;
    if (!stdout) throw new Error('the server prints nothing');
    text += String((await once(stdout, 'data'))[0]);
  }
}

/** Goes to a task that does not exist: only the reading of the message is measured. */
function rpc(method: string, parts: unknown): object {
  const message = { kind: 'message', messageId: 'm', role: 'user', taskId: 'nowhere', parts };
  return { jsonrpc: '2.0', id: 1, method, params: { message } };
}
