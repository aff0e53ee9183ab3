import { readServeOptions } from '../config/serve-options.js';
import { stateDir } from '../config/state-dir.js';
import { serve } from './app.js';

/** `cosession serve`: runs until it is told to stop. Resolves to the exit code. */
export async function runServe(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { close } = await serve(readServeOptions(argv, env, process.cwd()), { env, stateDir: stateDir(env) });
  await stopSignal();
  // A second signal means now.
  process.once('SIGINT', () => process.exit(130));
  await close();
  return 0;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
