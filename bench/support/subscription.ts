import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { now } from './clock.js';

/** Streams a running task over JSON-RPC v1.0 and only counts its events. */
export type Subscription = {
  readonly response: IncomingMessage;
  /** Includes the task itself, which comes first. */
  events: number;
  /** When each read ended, and how many events had arrived by then. */
  readonly reads: { at: number; events: number }[];
  readonly ended: Promise<unknown>;
};

export async function subscribe(port: number, taskId: string): Promise<Subscription> {
  const call = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/',
    agent: false,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', 'a2a-extensions': extensionUri },
  });
  call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const subscription: Subscription = { response, events: 0, reads: [], ended: once(response, 'close') };
  let lines = 0;
  response.on('data', (bytes: Buffer) => {
    lines += newlines(bytes);
    // An event is three lines: its id, its data and an empty line.
    subscription.events = Math.floor(lines / 3);
    subscription.reads.push({ at: now(), events: subscription.events });
  });
  return subscription;
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
