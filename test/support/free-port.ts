import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that the kernel gives to connections, which could take it before the program that it is for. */
const [first, end] = [20_000, 32_000];

/** A port of loopback that nobody listens on, for programs that cannot pick one themselves. */
export async function freePort(): Promise<number> {
  const port = randomInt(first, end);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
