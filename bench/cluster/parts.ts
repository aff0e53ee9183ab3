import { WebSocket } from 'ws';
import type { ClusteredServers } from '../../test/support/clustered-servers.js';
import type { ServeProcess } from '../../test/support/spawn-serve.js';
import { cpuOf } from '../support/process-figures.js';

export type ClusterBench = {
  readonly servers: ClusteredServers;
  /** Starts another cluster, of this many. */
  readonly start: (count: number) => Promise<ClusteredServers>;
  readonly isQuick: boolean;
  readonly say: (progress: string) => void;
  /** Sets what the model answers from now on. */
  readonly reply: (chunks: number, pauseMs: number) => unknown;
};

export function serverAt({ servers }: ClusterBench, index: number): ServeProcess {
  const server = servers.servers[index];
  if (!server) throw new Error(`there is no server ${index}`);
  return server;
}

type Poster = { post(path: string, body: unknown): Promise<Response> };

let created = 0;

/** A task that this server runs, with a turn behind it: its engine has started. */
export async function newTask(server: Poster): Promise<string> {
  const id = `bench-${++created}`;
  await must(server.post('tasks', { contextId: id }));
  await prompt(server, id);
  return id;
}

/** Resolves when the turn is over. */
export async function prompt(server: Poster, id: string): Promise<void> {
  const response = await must(server.post(`tasks/${id}/messages/stream`, { content: { text: 'go' } }));
  await response.text();
}

async function must(posted: Promise<Response>): Promise<Response> {
  const response = await posted;
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}

export type Reader = {
  /** Messages so far. */
  count: number;
  /** Resolves when the next turn is over. */
  over: Promise<void>;
  next(): void;
  close(): void;
};

/** A reader of a task at a server. */
export async function read(
  { base }: ServeProcess,
  id: string,
  onMessage: (data: Buffer) => void = () => {},
): Promise<Reader> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws?taskId=${id}&protocol=endpoint`);
  let end = (): void => {};
  const reader: Reader = {
    count: 0,
    over: Promise.resolve(),
    next: () => void (reader.over = new Promise((resolve) => (end = resolve))),
    close: () => socket.terminate(),
  };
  reader.next();
  socket.on('message', (data: Buffer) => {
    reader.count++;
    onMessage(data);
    if (data.includes('"state":"completed"')) end();
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return reader;
}

/** The CPU time that these processes use meanwhile, in milliseconds, each. */
export async function cpuDuring(pids: readonly number[], run: () => Promise<unknown>): Promise<number[]> {
  const before = pids.map(cpuOf);
  await run();
  return pids.map((pid, index) => cpuOf(pid) - (before[index] ?? 0));
}
