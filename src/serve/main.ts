import { readServeOptions } from '../config/serve-options.js';
import { stateDir } from '../config/state-dir.js';
import { serve } from './app.js';
import { forgetSecrets, hideSecrets } from './own-secrets.js';

/** `cosession serve`: runs until it is told to stop. Resolves to the exit code. */
export async function runServe(argv: readonly string[]): Promise<number> {
  const env = { ...process.env };
  const isHidden = hideSecrets();
  const { close } = await serve(readServeOptions(argv, env, process.cwd()), { env, stateDir: stateDir(env), isHidden });
  forgetSecrets();
  await stopSignal();
  await close();
  // Everything of ours is closed and stored; what a library still holds open is no reason to linger.
  process.exit(0);
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
