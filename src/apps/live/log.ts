import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { servicePrefix } from '../../engine/live/console-tee.js';
import type { ServerLog } from '../../domain/server-log.js';

const keepMs = 7 * 24 * 60 * 60 * 1000;

/** Logs to a file, since the terminal belongs to the CLI; with `--debug` also to the CLI's debug console (F12). */
export function openLiveLog(stateDir: string, isDebug: () => boolean): ServerLog {
  const dir = join(stateDir, 'logs');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  removeOld(dir);
  const file = pino.destination({ dest: join(dir, `${process.pid}.log`), mode: 0o600, sync: true });
  const logger = pino({ level: isDebug() ? 'debug' : 'info', serializers: { cause: pino.stdSerializers.err } }, file);
  const write =
    (level: 'debug' | 'info' | 'error') =>
    (message: string, facts: object = {}) => {
      logger[level](facts, message);
      // oxlint-disable-next-line no-console -- the CLI has replaced it: this is its debug console
      if (isDebug()) console.debug(`${servicePrefix} ${message} ${JSON.stringify(facts)}`);
    };
  return { debug: write('debug'), info: write('info'), error: write('error') };
}

function removeOld(dir: string): void {
  for (const name of readdirSync(dir)) {
    const file = join(dir, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > keepMs) rmSync(file, { force: true });
  }
}
