import { pino } from 'pino';
import { requestStorage } from '../../server/observe/request-context.js';
import type { ServerLog } from '../../domain/server-log.js';

/** One JSON object per line on standard output, as log collectors want it; with the ids of the request it belongs to. */
export function openServerLog(level: 'debug' | 'info' | 'error'): ServerLog {
  const logger = pino(
    {
      level,
      base: null,
      mixin: idsOfRequest,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { cause: pino.stdSerializers.err },
    },
    standardOutput(),
  );
  const write =
    (name: 'debug' | 'info' | 'error') =>
    (message: string, facts: object = {}): void =>
      logger[name](facts, message);
  return { debug: write('debug'), info: write('info'), error: write('error') };
}

/** Bytes that wait for whoever reads the log; beyond them lines are dropped. */
const maxUnread = 8 * 1024 * 1024;

/** Not pino's own destination: it retries a write to a pipe without a reader for ever, and blocks the server meanwhile. */
function standardOutput(): pino.DestinationStream {
  const { stdout } = process;
  // The reader is gone; the server need not go with it.
  stdout.on('error', () => {});
  return {
    write(line) {
      if (stdout.writableLength < maxUnread) stdout.write(line);
    },
  };
}

function idsOfRequest(): object {
  const { requestId, taskId } = requestStorage.getStore() ?? {};
  return { requestId, taskId };
}
