import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer } from '../../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../../src/util/net/listen-on-loopback.js';
import type { Random } from './random.js';

export type Notice = { readonly turnId: string; readonly state: string };

export type Receiver = {
  readonly url: string;
  /** What it has taken. */
  readonly notices: readonly Notice[];
  /** Called for every request, in the tick it is here, whether it will be taken or not. */
  onCalled: () => void;
  close(): Promise<void>;
};

/** The other side of the webhooks. It is not always in the mood. */
export async function openReceiver(random: Random): Promise<Receiver> {
  const notices: Notice[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.onCalled();
      if (random.chance(0.1)) return response.writeHead(503).end();
      const turnId = new URL(request.url ?? '', 'http://localhost').searchParams.get('turn') ?? '';
      const state = /"state":"TASK_STATE_(\w+)"/.exec(body)?.[1] ?? 'none';
      notices.push({ turnId, state: state.toLowerCase().replace('_', '-') });
      return response.writeHead(200).end();
    });
  });
  const port = await listenOnLoopback(server, 0);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    notices,
    onCalled: () => {},
    close: () => closeServer(server),
  };
  return receiver;
}
