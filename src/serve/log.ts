import { pino } from 'pino';
import { requestStorage } from '../server/request-context.js';
import type { ServerLog } from '../server/server-log.js';

/** One JSON object per line on standard output, as log collectors want it; with the ids of the request it belongs to. */
export function openLog(level: 'debug' | 'info' | 'error'): ServerLog {
  const logger = pino({
    level,
    base: null,
    mixin: idsOfRequest,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { cause: pino.stdSerializers.err },
  });
  const write =
    (name: 'debug' | 'info' | 'error') =>
    (message: string, facts: object = {}): void =>
      logger[name](facts, message);
  return { debug: write('debug'), info: write('info'), error: write('error') };
}

function idsOfRequest(): object {
  const { requestId, taskId } = requestStorage.getStore() ?? {};
  return { requestId, taskId };
}
