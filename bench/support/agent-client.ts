import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { now } from './clock.js';
import { timesIn } from './order.js';

/** Where a prompt is sent, and in which form. */
export type Route = { readonly path: string; readonly body: (prompt: string) => object };

/** Creates a task in standard A2A v0.3, which both our server and gemini-cli's accept. */
export const jsonRpc: Route = {
  path: '/',
  body: (prompt) => {
    const parts = [{ kind: 'text', text: prompt }];
    const message = { kind: 'message', role: 'user', messageId: randomUUID(), parts };
    return { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } };
  },
};

export type Turn = {
  /** When each chunk arrived. */
  readonly receivedAt: readonly number[];
  /** Milliseconds from the model's write to receipt of each chunk. */
  readonly latencies: readonly number[];
  readonly text: string;
};

/** Sends a prompt and follows the turn to the end of its stream. */
export async function runTurn(port: number, route: Route, prompt: string): Promise<Turn> {
  const response = await post(port, route.path, route.body(prompt));
  const receivedAt: number[] = [];
  const latencies: number[] = [];
  let text = '';
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (data: string) => {
    const at = now();
    // A read may end in the middle of an event.
    const end = data.lastIndexOf('\n') + 1;
    const whole = rest + data.slice(0, end);
    rest = end === 0 ? rest + data : data.slice(end);
    for (const sentAt of timesIn(whole)) {
      receivedAt.push(at);
      latencies.push(at - sentAt);
    }
    text = (text + whole).slice(-2000);
  });
  await once(response, 'end');
  return { receivedAt, latencies, text };
}

/** Chunks per second from the first to the last. */
export function rateOf({ receivedAt }: Turn): number {
  const [first = Number.NaN, last = Number.NaN] = [receivedAt[0], receivedAt.at(-1)];
  return (receivedAt.length - 1) / ((last - first) / 1000);
}

export async function createTask(port: number, contextId: string = randomUUID()): Promise<void> {
  const response = await post(port, '/tasks', { contextId });
  response.resume();
  await once(response, 'end');
}

async function post(port: number, path: string, body: object): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json', 'x-a2a-extensions': extensionUri };
  const call = request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers });
  call.end(JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  if ((response.statusCode ?? 500) >= 300) throw new Error(`POST ${path} was answered with ${response.statusCode}`);
  return response;
}
