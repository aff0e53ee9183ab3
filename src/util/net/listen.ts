import type { Server } from 'node:net';

/** Listens and resolves to the port; rejects with Node's error if the port is not available. */
export function listen(server: Server, port: number, host: string, backlog = 511): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
