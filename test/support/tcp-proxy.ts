import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

export type TcpProxy = {
  readonly port: number;
  /** Resolves when so many packets have passed from now on. */
  passed(count: number): Promise<void>;
  /** Breaks every connection. */
  cut(): void;
  /** From now on packets are swallowed, as by a firewall that changed its mind: nothing passes, nothing is said. */
  stall(): void;
  /** Connections that come from now on work again. */
  heal(): void;
  close(): Promise<void>;
};

/** A way to a server on loopback that can be cut or blocked. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  let hasPassed = (): void => {};
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('error', end).on('close', end);
      from.on('data', (data) => {
        if (isStalled) return;
        to.write(data);
        hasPassed();
      });
    }
  });
  const port = await listenOnLoopback(server, 0);
  const cut = (): void => {
    for (const [client] of pairs) client.destroy();
  };
  return {
    port,
    passed: (count) =>
      new Promise((resolve) => {
        let left = count;
        hasPassed = () => {
          if (--left === 0) resolve();
        };
      }),
    cut,
    stall: () => void (isStalled = true),
    heal() {
      isStalled = false;
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
