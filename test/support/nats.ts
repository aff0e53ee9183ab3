import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { debianProgram } from './debian-program.js';
import { freePort } from './free-port.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

export type NatsServer = {
  readonly url: string;
  readonly port: number;
  /** Kills it, and starts it again on its port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A NATS server on loopback, a program of Debian. `config`: more lines of its configuration. */
export async function startNats(config = ''): Promise<NatsServer> {
  const program = debianProgram('nats-server', 'usr/sbin/nats-server');
  const port = await freePort();
  const file = join(temporaryFolder(), 'nats.conf');
  writeFileSync(file, `listen: "127.0.0.1:${port}"\n${config}`);
  let stop = async (): Promise<void> => {};
  const start = async (): Promise<void> => {
    const child = spawn(program, ['-c', file], { stdio: 'ignore' });
    const exit = once(child, 'exit');
    stop = async () => {
      child.kill('SIGKILL');
      await exit;
    };
    await until(() => answers(port));
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    async restart() {
      await stop();
      await start();
    },
    stop: () => stop(),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // It introduces itself.
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
