import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import { serve, type ServeContext, type Served } from './app.js';
import { forgetSecrets, hideSecrets } from '../../engine/pool/own-secrets.js';

/** The store may be part of an unexpected error, so releasing the tasks may take at most this long. */
const handOverMs = 10_000;

/** Serves until a signal stops it. Resolves to the exit code. */
export async function runServe(options: ServeOptions, given: Pick<ServeContext, 'env' | 'stateDir'>): Promise<number> {
  const env = { ...given.env };
  const isHidden = hideSecrets();
  const served = await serve(options, { env, stateDir: given.stateDir, isHidden });
  forgetSecrets();
  let isGivingUp = false;
  process.on('uncaughtException', (cause) => {
    served.log.error('internal error: the server releases its tasks and stops', { cause });
    if (!isGivingUp) void giveUp(served);
    isGivingUp = true;
  });
  await stopSignal(served.drained);
  await served.close();
  // Everything of ours is closed and stored. Do not wait for handles that a library still holds open.
  process.exit(0);
}

/** An unexpected error leaves an unknown state, so the tasks are released to another server or to the next start. */
async function giveUp({ log, close }: Served): Promise<void> {
  const handOver = close(0).catch((error: unknown) => log.error('tasks not released', { cause: error }));
  await Promise.race([handOver, sleep(handOverMs)]);
  process.exit(1);
}

/**
 * Resolves on the first signal, or when an admin asks; a signal after that ends the process immediately. The listeners stay registered: a library of core's
 * (signal-exit) ends the process immediately if it finds no other listener.
 */
function stopSignal(drained: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const begin = (): void => {
      isStopping = true;
      resolve();
    };
    const stop = (exitCode: number) => (): void => {
      if (isStopping) process.exit(exitCode);
      begin();
    };
    process.on('SIGINT', stop(130));
    process.on('SIGTERM', stop(143));
    void drained.then(begin);
  });
}
