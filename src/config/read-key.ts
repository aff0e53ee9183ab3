import { readFileSync } from 'node:fs';
import { UsageError } from './flags.js';

/** The text of the file that `--card-key` names. */
export function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--card-key: ${file} cannot be read`);
  }
}
