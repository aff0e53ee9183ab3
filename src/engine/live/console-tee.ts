import type { LogLevel } from '../../domain/events.js';

const levels: readonly [method: 'debug' | 'log' | 'info' | 'warn' | 'error', level: LogLevel][] = [
  ['debug', 'debug'],
  // The CLI's debug logger writes to it.
  ['log', 'debug'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
];

/** The prefix of our own lines, which are for the debug console and the log file, not for clients. */
export const servicePrefix = '[A2AService]';

/** Reports what the CLI writes to its console, after the CLI's own handling. */
export function teeConsole(report: (level: LogLevel, text: string) => void, isDebug: () => boolean): void {
  for (const [method, level] of levels) {
    const original = console[method].bind(console);
    let isReporting = false;
    console[method] = (...args: unknown[]) => {
      original(...args);
      if (isReporting || (method === 'debug' && !isDebug())) return;
      isReporting = true;
      try {
        const text = args.map(asText).join(' ');
        if (!text.startsWith(servicePrefix)) report(level, text);
      } finally {
        isReporting = false;
      }
    };
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.message;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
