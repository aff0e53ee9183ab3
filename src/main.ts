import { hostname, userInfo } from 'node:os';
import { exitCodes } from './cli/argv/exit-codes.js';
import { exitCodeOf } from './cli/exit-code-of.js';
import { run } from './cli/run.js';
import type { Io } from './cli/view/io.js';
import { stateDir } from './config/state-dir.js';

function ourIo(): Io {
  const { stdin, stdout, stderr, env, execPath, argv } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    folder: process.cwd(),
    user: `${userName()}@${hostname().split('.', 1)[0]}`,
    program: [execPath, argv[1] ?? 'cosession'],
    // Checked when it is needed: a command that keeps nothing works without it.
    get stateDir() {
      return stateDir(env);
    },
    token: env['COSESSION_TOKEN'],
    useColor: stdout.isTTY && !env['NO_COLOR'],
  };
}

/** A container may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}

async function main(): Promise<void> {
  // If nothing is left to wait for before the command has a result, it has failed.
  process.exitCode = exitCodes.failed.code;
  try {
    process.exitCode = await run(process.argv.slice(2), ourIo());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { sanitize } = await import('./util/text/sanitize.js');
    // What another program said may be part of it.
    process.stderr.write(`cosession: ${sanitize(message)}\n`);
    // Whatever the command has opened does not keep it running.
    process.exit(exitCodeOf(error));
  }
}

void main();
