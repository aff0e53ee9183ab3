import { writeSync } from 'node:fs';
import { startAgain } from '../../engine/live/launch.js';
import { replaceProcess } from '../../engine/live/replace-process.js';

/** Passes the CLI's settings of an organisation's administrator on to its next start. */
const adminVariable = 'COSESSION_ADMIN_SETTINGS';

type Message = { readonly type?: string; readonly settings?: unknown };

/**
 * Does what a launcher would do for the CLI, from inside its process: restarts it when it asks for that, with the settings that
 * it wants to keep. `env` is what the next start gets besides the environment.
 */
export function startAgainInPlace(env: Readonly<Record<string, string>>): void {
  const given = process.env[adminVariable];
  delete process.env[adminVariable];
  // Before the CLI adds what it finds in .env files, which may be other things next time.
  const before = { ...process.env };
  let adminSettings = given;
  process.send = (message: Message) => {
    if (message.type === 'admin-settings-update') adminSettings = JSON.stringify(message.settings);
    return true;
  };
  if (given !== undefined) {
    const hand = (event: string | symbol): void => {
      if (event !== 'message') return;
      process.off('newListener', hand);
      // The listener is added after this event.
      const message: Message = { type: 'admin-settings', settings: JSON.parse(given) as unknown };
      setImmediate(() => process.emit('message', message, undefined));
    };
    process.on('newListener', hand);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has no type, and packages have replaced it for years
  const { reallyExit } = process as unknown as { reallyExit: (code: number) => never };
  Object.assign(process, {
    // The last thing that Node calls, after everybody has cleaned up.
    reallyExit: (code: number) => {
      const admin = adminSettings === undefined ? {} : { [adminVariable]: adminSettings };
      if (code === startAgain) {
        replaceProcess([...process.execArgv, ...process.argv.slice(1)], { ...before, ...env, ...admin });
        writeSync(2, 'cosession: the Gemini CLI wants to be started again\n');
      }
      reallyExit.call(process, code);
    },
  });
}
