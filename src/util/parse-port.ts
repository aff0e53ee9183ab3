import { UsageError } from './usage-error.js';

/** Parses a port as people type it. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`the port must be a whole number from 0 (any free one) to 65535, got "${text}"`);
}
