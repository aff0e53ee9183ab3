import type { Burst, Pace } from '../processes/load.js';
import type { ServerMethods } from '../processes/our-server.js';
import type { Greeting, ReceiverMethods } from '../processes/receiver.js';
import { startHelper } from './helper.js';

const token = 'bench-token';

/** A server in one process and its clients in another. */
export class Side {
  readonly #server;
  readonly #receiver = startHelper<ReceiverMethods>(new URL('../processes/receiver.ts', import.meta.url));
  #openPort: Promise<number> | undefined;

  readonly #greeting: { readonly greeting?: Greeting };

  constructor(server: URL, greeting?: Greeting) {
    this.#greeting = greeting === undefined ? {} : { greeting };
    this.#server = startHelper<ServerMethods>(server);
  }

  async connect(clients: number): Promise<void> {
    await this.#receiver.call('connect', { port: await this.#port(), token, clients, ...this.#greeting });
  }

  disconnect(): Promise<void> {
    return this.#receiver.call('disconnect');
  }

  /** Returns the seconds until the last client had everything, the server's CPU time and all bytes received. */
  async burst(burst: Burst): Promise<{ seconds: number; cpuMicroseconds: number; bytes: number }> {
    await this.#receiver.call('expect', { texts: burst.events, withTimes: false });
    const { startedAt, cpuMicroseconds } = await this.#server.call('burst', burst);
    const { at, bytes } = await this.#receiver.call('arrived');
    return { seconds: (at - startedAt) / 1000, cpuMicroseconds, bytes };
  }

  /** Milliseconds from report to receipt of each event at each client. */
  async pace(pace: Pace): Promise<number[]> {
    await this.#receiver.call('expect', { texts: pace.events, withTimes: true });
    const reportedAt = await this.#server.call('pace', pace);
    const { times } = await this.#receiver.call('arrived');
    return times.flatMap((client) => Array.from(client, (at, event) => at - (reportedAt[event] ?? Number.NaN)));
  }

  async stop(): Promise<void> {
    await Promise.all([this.#server.stop(), this.#receiver.stop()]);
  }

  #port(): Promise<number> {
    return (this.#openPort ??= this.#server.call('open', token));
  }
}

const bareServer = new URL('../processes/bare-server.ts', import.meta.url);

/** Starts our server and a bare `ws` one. They take turns, so each has the machine to itself. */
export async function withBothSides<T>(
  run: (ours: Side, bare: Side) => Promise<T>,
  { bare = bareServer, greeting }: { bare?: URL; greeting?: Greeting } = {},
): Promise<T> {
  const sides = [
    new Side(new URL('../processes/our-server.ts', import.meta.url), greeting),
    new Side(bare, greeting),
  ] as const;
  try {
    return await run(...sides);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}
