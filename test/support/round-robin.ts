import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

export type RoundRobin = {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly base: string;
  close(): void;
};

/** A plain load balancer: each connection goes to the next of the servers that accept one. */
export async function startRoundRobin(ports: () => readonly number[]): Promise<RoundRobin> {
  let next = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client.on('error', () => client.destroy()).on('close', () => open.delete(client)));
    const attempt = (left: number): void => {
      const all = ports();
      const upstream = connect(all[next++ % all.length] ?? 0, '127.0.0.1');
      upstream.once('connect', () => {
        upstream.removeAllListeners('error').on('error', () => client.destroy());
        upstream.on('close', () => client.destroy());
        client.on('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
      upstream.once('error', () => (left > 1 ? attempt(left - 1) : client.destroy()));
    };
    attempt(ports().length);
  });
  const port = await listenOnLoopback(server, 0);
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
