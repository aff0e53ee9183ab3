import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parsePort } from '../../util/parse-port.js';
import { urlPrefix } from '../../util/net/url-prefix.js';
import { UsageError } from '../../util/usage-error.js';

/** Converts the text of a flag or variable to a value, by the flag's type. `from` names the flag or variable in errors. */
export const valueReaders = {
  text: (text: string): string => text,
  port: (text: string): number => parsePort(text),
  number: readNumber,
  /** Times are given in the named unit and converted to milliseconds. */
  seconds: (text: string, from: string): number => readNumber(text, from) * 1000,
  minutes: (text: string, from: string): number => readNumber(text, from) * 60_000,
  days: (text: string, from: string): number => readNumber(text, from) * 86_400_000,
  /** Takes a file name; the value is the file's text. */
  file: readFile,
  /** Takes a file name; the value is its absolute path, for files that are read later. */
  path: (text: string): string => resolve(text),
  /** An address of this server, with a slash at its end. */
  ownAddress: readOwnAddress,
  /** An address that covers everything below it, or `*`. */
  addresses: readAddresses,
} satisfies Record<string, (text: string, from: string) => string | number>;

function readNumber(text: string, from: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`${from} must be a number, got "${text}"`);
}

function readFile(file: string, from: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${from}: ${file} cannot be read`);
  }
}

function readOwnAddress(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`${from} must be an address such as https://example.com/agents/, got "${text}"`);
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function readAddresses(text: string, from: string): string {
  try {
    if (text !== '*') urlPrefix(text);
    return text;
  } catch (error) {
    throw new UsageError(`${from}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time as people type it: `30m`, `12h` or `30d` from `relativeTo`, or a date. The result may be an invalid date. */
export function parseTime(text: string, relativeTo: (ms: number) => number): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? new Date(text) : new Date(relativeTo(Number(count) * (unitMs[unit] ?? 0)));
}
