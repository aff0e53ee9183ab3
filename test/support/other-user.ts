import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** "nobody", who is on every Linux machine. */
const uid = 65_534;

/** How a caller may leave who has just written a request. */
const exits = ['destroy', 'resetAndDestroy', 'end'] as const;

/** Bytes of a request, and how often they are sent, each time on a connection that is left at once. */
export type Hit = { readonly port: number; readonly bytes: Buffer; readonly times: number };

/** Sends every request in every way to leave, as another user of this machine. Resolves when all connections are closed. */
export async function hitAndRun(hits: readonly Hit[]): Promise<void> {
  const jobs = hits.map(({ port, bytes, times }) => ({ port, times, bytes: bytes.toString('base64') }));
  await once(runAsOther(hitting, { jobs, exits, atOnce: 40 }), 'close');
}

/** The status of an answer to another user of this machine, who trusts `ca` (PEM). */
export async function fetchAsOther(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  ca?: string,
): Promise<number> {
  const [line] = (await once(createInterface(runAsOther(fetching, { url, headers, ca }).stdout), 'line')) as [string];
  return Number(line);
}

/** Connects so often, sends the beginning of a request, and stays, as another user of this machine. */
export async function holdTheLine(port: number, text: string, times: number): Promise<void> {
  const child = runAsOther(holding, { port, text, times });
  onTestFinished(() => void child.kill());
  await once(createInterface(child.stdout), 'line');
}

/** The text of a program, since another user may not be able to read ours. */
function runAsOther(code: string, input: object) {
  const child = spawn(process.execPath, ['-e', code], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(input));
  return child;
}

const reading = `
  const { connect } = require('node:net');
  const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));`;

const hitting = `${reading}
  const { jobs, exits, atOnce } = input;
  const hits = jobs.flatMap(({ port, times, bytes }) =>
    exits.flatMap((exit) => Array(times).fill({ port, exit, bytes: Buffer.from(bytes, 'base64') })));
  const hit = ({ port, exit, bytes }) => new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {}).once('close', resolve).resume();
    socket.write(bytes, () => socket[exit]());
  });
  const run = async () => { for (let next; (next = hits.pop()); ) await hit(next); };
  for (let i = 0; i < atOnce; i++) void run();`;

const holding = `${reading}
  const { port, text, times } = input;
  const hold = () => new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', resolve).on('close', resolve).resume();
    socket.write(text, resolve);
  });
  Promise.all(Array.from({ length: times }, hold)).then(() => console.log('ready'));
  setInterval(() => {}, 1000);`;

const fetching = `${reading}
  const { url, headers, ca } = input;
  const { get } = require('node:' + new URL(url).protocol.slice(0, -1));
  get(url, { headers, ca, agent: false }, (response) => console.log(response.resume().statusCode))
    .on('error', ({ code }) => console.log(code));`;
