import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../../test/support/until.js';
import { now } from '../support/clock.js';
import { serve } from '../support/serve.js';

export type SeenText = { readonly at: number; readonly text: string };

let seen: SeenText[] = [];

/** One ordinary `ws` client that records when each text arrived. */
const methods = {
  async connect({ port, token }: { port: number; token: string }): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${token}` } });
    socket.on('message', (data: Buffer) => {
      const at = now();
      const event = JSON.parse(data.toString()) as { kind?: string; content?: { text: string } };
      if (event.kind === 'TEXT_CONTENT') seen.push({ at, text: event.content?.text ?? '' });
    });
    await once(socket, 'open');
  },

  /** Returns the texts since the last call, once they include the one with the last mark. */
  async take(lastMark: string): Promise<SeenText[]> {
    await until(() => seen.some(({ text }) => text.includes(lastMark)));
    const taken = seen;
    seen = [];
    return taken;
  },
};

export type WatcherMethods = typeof methods;
serve(methods);
