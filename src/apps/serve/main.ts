import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { Doer } from '../../domain/audit.js';
import { serve, type ServeContext, type Served } from './app.js';
import { forgetSecrets, hideSecrets } from '../../engine/pool/own-secrets.js';

/** The store may be part of an unexpected error, so releasing the tasks may take at most this long. */
const handOverMs = 10_000;

/** Serves until a signal stops it. Resolves to the exit code. */
export async function runServe(options: ServeOptions, given: Pick<ServeContext, 'env' | 'stateDir'>): Promise<number> {
  const env = { ...given.env };
  const isHidden = hideSecrets();
  const stop = stopSignal();
  const served = await serve(options, { env, stateDir: given.stateDir, isHidden });
  forgetSecrets();
  let isGivingUp = false;
  process.on('uncaughtException', (cause) => {
    served.log.error('internal error: the server releases its tasks and stops', { cause });
    if (!isGivingUp) void giveUp(served);
    isGivingUp = true;
  });
  void served.drained.then(stop.begin);
  await served.close({ by: await stop.by });
  // Everything of ours is closed and stored. Do not wait for handles that a library still holds open.
  process.exit(0);
}

/** An unexpected error leaves an unknown state, so the tasks are released to another server or to the next start. */
async function giveUp({ log, close }: Served): Promise<void> {
  const handOver = close({ drainMs: 0 }).catch((error: unknown) => log.error('tasks not released', { cause: error }));
  await Promise.race([handOver, sleep(handOverMs)]);
  process.exit(1);
}

/**
 * Resolves on the first signal, or when an admin asks, to whoever it was; a signal after that ends the process immediately.
 * A signal that comes while the server starts stops it as soon as it has started. The listeners stay registered: a library of
 * core's (signal-exit) ends the process immediately if it finds no other listener.
 */
function stopSignal(): { readonly by: Promise<Doer>; readonly begin: (by: Doer) => void } {
  let isStopping = false;
  let resolve = (_by: Doer): void => {};
  const by = new Promise<Doer>((done) => (resolve = done));
  const begin = (doer: Doer): void => {
    isStopping = true;
    resolve(doer);
  };
  const stop = (exitCode: number) => (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitCode);
    begin({ surface: 'server', client: signal });
  };
  process.on('SIGINT', stop(130));
  process.on('SIGTERM', stop(143));
  return { by, begin };
}
