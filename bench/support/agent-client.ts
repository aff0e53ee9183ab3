import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { now } from './clock.js';
import { timesIn } from './order.js';

/** Where a prompt is sent, and in which form. */
export type Route = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (prompt: string, conversation?: Conversation) => object;
};

/** What a server calls a conversation; a prompt without it begins a new one. */
export type Conversation = { readonly contextId: string; readonly taskId: string };

const extension = { 'x-a2a-extensions': extensionUri };

/** Standard A2A v0.3, which both our server and gemini-cli's accept, with the extension that describes tools. */
export const jsonRpc: Route = {
  path: '/',
  headers: extension,
  body: (prompt, conversation) => rpc('message/stream', [{ kind: 'text', text: prompt }], conversation),
};

/** As every client of A2A sends it that does not know the extension. */
export const plainJsonRpc: Route = { path: '/', body: jsonRpc.body };

export const plainJsonRpcV1: Route = {
  path: '/',
  headers: { 'a2a-version': '1.0' },
  body: (prompt) => {
    const message = { role: 'ROLE_USER', messageId: randomUUID(), parts: [{ text: prompt }] };
    return { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } };
  },
};

/** The answer to a question, in the form of gemini-cli's server, which ours accepts too. */
export const approval: Route = {
  path: '/',
  headers: extension,
  body: (callId, conversation) =>
    rpc('message/stream', [{ kind: 'data', data: { callId, outcome: 'proceed_once' } }], conversation),
};

function rpc(method: string, parts: readonly object[], conversation?: Conversation): object {
  const message = { kind: 'message', role: 'user', messageId: randomUUID(), parts, ...conversation };
  return { jsonrpc: '2.0', id: 1, method, params: { message } };
}

export type Turn = {
  /** When each chunk arrived. */
  readonly receivedAt: readonly number[];
  /** Milliseconds from the model's write to receipt of each chunk. */
  readonly latencies: readonly number[];
  readonly text: string;
};

/**
 * As real clients do, prompts and answers use connections that are open already. Upstream also gives up a call whose approval
 * comes on a connection that will be closed.
 */
const connections = new Agent({ keepAlive: true });

/** Sends a prompt and follows the turn to the end of its stream. */
export async function runTurn(port: number, route: Route, prompt: string, conversation?: Conversation): Promise<Turn> {
  const response = await post(port, route, route.body(prompt, conversation));
  const receivedAt: number[] = [];
  const latencies: number[] = [];
  let text = '';
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (data: string) => {
    const at = now();
    // A read may end in the middle of an event.
    const end = data.lastIndexOf('\n') + 1;
    const whole = end === 0 ? '' : rest + data.slice(0, end);
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

/** The turn, if nothing of it is missing. */
export function whole(turn: Turn, chunks: number): Turn {
  if (turn.receivedAt.length !== chunks) throw new Error(`${turn.receivedAt.length} of ${chunks} chunks arrived`);
  return turn;
}

/** Chunks per second from the model's first write to the last receipt: to hold text back and send it at once is not fast. */
export function rateOf({ receivedAt, latencies }: Turn): number {
  const [first = Number.NaN, last = Number.NaN] = [receivedAt[0], receivedAt.at(-1)];
  const writtenAt = first - (latencies[0] ?? Number.NaN);
  return receivedAt.length / ((last - writtenAt) / 1000);
}

export function conversationOf({ text }: Pick<Turn, 'text'>): Conversation {
  const field = (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? '';
  return { contextId: field('contextId'), taskId: field('taskId') };
}

/** On a new connection each time. */
export async function createTask(port: number, contextId: string = randomUUID()): Promise<void> {
  const response = await post(port, { path: '/tasks' }, { contextId }, false);
  response.resume();
  await once(response, 'end');
}

export async function post(
  port: number,
  { path, headers }: Pick<Route, 'path' | 'headers'>,
  body: object,
  agent: Agent | false = connections,
): Promise<IncomingMessage> {
  const all = { 'content-type': 'application/json', ...headers };
  const call = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers: all });
  call.end(JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  if ((response.statusCode ?? 500) >= 300) throw new Error(`POST ${path} was answered with ${response.statusCode}`);
  return response;
}
