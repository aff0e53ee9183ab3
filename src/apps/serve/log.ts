import { pino } from 'pino';
import { prettyLine } from './pretty-line.js';
import type { ServerLog } from '../../domain/server-log.js';

/**
 * Writes one JSON object per line to standard output, as log collectors expect. To a terminal it writes lines for people.
 */
export function openServerLog(level: 'debug' | 'info' | 'error'): ServerLog {
  const logger = pino(
    {
      level,
      base: null,
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

/** Unread bytes to buffer for the reader of the log; beyond that, lines are dropped. */
const maxUnread = 8 * 1024 * 1024;

/** Replaces pino's own destination, which retries writes to a pipe without a reader forever and blocks the server meanwhile. */
function standardOutput(): pino.DestinationStream {
  const { stdout } = process;
  // The reader is gone; the server keeps running.
  stdout.on('error', () => {});
  const useColor = !process.env['NO_COLOR'];
  return {
    write(line) {
      if (stdout.writableLength < maxUnread) stdout.write(stdout.isTTY ? prettyLine(line, useColor) : line);
    },
  };
}
