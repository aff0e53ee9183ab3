import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { WebSocket } from 'ws';
import type { Random } from '../../test/support/chaos/random.js';
import { ask, eventsOf, type Heard, send } from './requests.js';

export type TurnRequest = {
  readonly port: number;
  readonly taskId: string;
  readonly prompt: string;
  /** The number of the last event that anyone has heard of the task. */
  readonly cursor: number;
  readonly random: Random;
  readonly tally: Tally;
};

/** What happened how often: a soak that did not do what it says would show nothing. */
export type Tally = Map<string, number>;

export function count(tally: Tally, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** Follows a turn to its end, and answers what it asks. Returns the number of its last event. */
export type TurnClient = (request: TurnRequest) => Promise<number>;

/** How often a client loses its connection at an event, and how often it takes back what it asked for. */
const lossRate = 0.03;
const cancelRate = 0.01;

/** A client on `/ws`: it comes back with its cursor. */
export const overSocket: TurnClient = (turn) =>
  follow(turn, 'socket', async function* connect(message, after, isAgain) {
    const socket = new WebSocket(`ws://127.0.0.1:${turn.port}/ws?taskId=${turn.taskId}&after=${after}`);
    // The first frames may come with the answer to the handshake.
    const frames = on(socket, 'message', { close: ['close'] }) as AsyncIterable<[Buffer]>;
    await once(socket, 'open');
    const params = { message };
    if (!isAgain) socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params }));
    try {
      for await (const [data] of frames) yield JSON.parse(data.toString()) as Heard;
    } finally {
      socket.terminate();
    }
  });

/** A client of `POST /tasks/{id}/messages/stream`: it sends the same message again with its cursor. */
export const overStream: TurnClient = (turn) =>
  follow(turn, 'stream', async function* connect(message, after, isAgain) {
    const headers: Record<string, string> = isAgain ? { 'last-event-id': String(after) } : {};
    const path = `/tasks/${turn.taskId}/messages/stream`;
    yield* eventsOf(await send(turn.port, { path, body: { message }, headers }));
  });

/** Opens the events of a task after a number, with those of the turn that the message asks for. */
type Connect = (message: object, after: number, isAgain: boolean) => AsyncGenerator<Heard>;

async function follow(turn: TurnRequest, name: string, connect: Connect): Promise<number> {
  const { prompt, random, tally } = turn;
  const messageId = randomUUID();
  let { cursor } = turn;
  let turnId: unknown;
  for (let tries = 0; ; tries++) {
    if (tries > 0) count(tally, `${name}: came back with a cursor`);
    for await (const event of connect({ messageId, content: { text: prompt } }, cursor, tries > 0)) {
      if (event['kind'] === 'RESYNC_REQUIRED') throw new Error(`${turn.taskId} has forgotten what follows ${cursor}`);
      if (event.seq === undefined || event.seq <= cursor) continue;
      cursor = event.seq;
      if (event['messageId'] === messageId) turnId = event['turnId'];
      if (turnId === undefined || event['turnId'] !== turnId) continue;
      if (event['final'] === true) {
        count(tally, `${name}: ${String(event['state'])}`);
        return cursor;
      }
      if (event['confirmation_request'] !== undefined) await answer(turn, String(event['tool_call_id']));
      else if (random.chance(cancelRate)) await cancel(turn);
      if (random.chance(lossRate)) break;
    }
  }
}

/** A standard A2A client, v0.3: it resubscribes with its cursor, and answers in words. */
export const overA2a: TurnClient = async ({ port, taskId: contextId, prompt, cursor, random, tally }) => {
  const open = (method: string, params: object, headers = {}) =>
    send(port, { path: '/', body: { jsonrpc: '2.0', id: 1, method, params }, headers });
  const say = (text: string, to: object) => {
    const message = { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text }], ...to };
    return open('message/stream', { message });
  };
  let last = cursor;
  let id: string | undefined;
  let response = await say(prompt, { contextId });
  for (;;) {
    for await (const event of eventsOf(response)) {
      last = event.seq ?? last;
      const result = event['result'] as A2aResult | undefined;
      id ??= result?.taskId ?? result?.id;
      // A subscription stays open while the agent waits.
      if (result?.status?.state === 'input-required' || random.chance(lossRate)) break;
    }
    const state = await stateOf(port, id);
    if (state === 'input-required') {
      response = await say(random.chance(0.8) ? 'yes' : 'no', { taskId: id });
    } else if (state === 'working' || state === 'submitted') {
      count(tally, 'A2A: came back with a cursor');
      response = await open('tasks/resubscribe', { id }, { 'last-event-id': String(last) });
    } else {
      count(tally, `A2A: ${state}`);
      return last;
    }
  }
};

type A2aResult = { readonly id?: string; readonly taskId?: string; readonly status?: { readonly state?: string } };

async function stateOf(port: number, id: string | undefined): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } };
  const { result } = JSON.parse(await ask(port, { path: '/', body })) as { result: { status: { state: string } } };
  return result.status.state;
}

async function answer({ port, taskId, random, tally }: TurnRequest, callId: string): Promise<void> {
  const isYes = random.chance(0.8);
  const selected = isYes ? 'proceed_once' : 'cancel';
  const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: callId, selected_option_id: selected };
  const response = await send(port, {
    path: `/tasks/${taskId}/messages/stream`,
    body: { message: { content: { data } } },
  });
  response.destroy();
  const { statusCode } = response;
  if (statusCode === 200) count(tally, isYes ? 'approved' : 'refused');
  // Those who come back are told the question again.
  else if (statusCode !== 409) throw new Error(`the answer to ${callId} of ${taskId} is ${statusCode}`);
}

async function cancel({ port, taskId, tally }: TurnRequest): Promise<void> {
  const response = await send(port, { path: `/tasks/${taskId}/cancel` });
  response.resume();
  // The turn may be over meanwhile.
  if (response.statusCode === 202) count(tally, 'cancelled');
}
