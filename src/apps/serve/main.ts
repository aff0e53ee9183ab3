import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import { serve, type ServeContext, type Served } from './app.js';
import { forgetSecrets, hideSecrets } from '../../engine/pool/own-secrets.js';

/** After an error that nobody expected the store may be part of it: giving the tasks away may take this long. */
const handOverMs = 10_000;

/** Serves until it is told to stop. Resolves to the exit code. */
export async function runServe(options: ServeOptions, given: Pick<ServeContext, 'env' | 'stateDir'>): Promise<number> {
  const env = { ...given.env };
  const isHidden = hideSecrets();
  const served = await serve(options, { env, stateDir: given.stateDir, isHidden });
  forgetSecrets();
  let isGivingUp = false;
  process.on('uncaughtException', (cause) => {
    served.log.error('internal error, the server gives its tasks away and ends', { cause });
    if (!isGivingUp) void giveUp(served);
    isGivingUp = true;
  });
  await stopSignal();
  await served.close();
  // Everything of ours is closed and stored; what a library still holds open is no reason to linger.
  process.exit(0);
}

/** Nobody knows what state an unexpected error leaves: the tasks go to another server, or to the next start. */
async function giveUp({ log, close }: Served): Promise<void> {
  const handOver = close(0).catch((error: unknown) => log.error('tasks not given away', { cause: error }));
  await Promise.race([handOver, sleep(handOverMs)]);
  process.exit(1);
}

/**
 * Resolves with the first signal; a second one ends the process at once. The listeners stay: a library that finds itself
 * alone with a signal (signal-exit, below core) ends the process there and then.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (exitCode: number) => (): void => {
      if (isStopping) process.exit(exitCode);
      isStopping = true;
      resolve();
    };
    process.on('SIGINT', stop(130));
    process.on('SIGTERM', stop(143));
  });
}
