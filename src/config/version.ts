import { readFileSync } from 'node:fs';

/** Our version, from the package.json beside `dist` or `src`. */
export const version: string = readVersion();

function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const parsed: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (isNamed(parsed)) return parsed.version;
    } catch {
      // The bundle is one folder below package.json, the sources are two.
    }
  }
  return 'unknown';
}

function isNamed(value: unknown): value is { version: string } {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === 'cosession';
}
