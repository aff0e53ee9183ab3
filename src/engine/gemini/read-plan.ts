import { readFileSync, statSync } from 'node:fs';

/** A longer plan is not sent: read its file. */
const maxBytes = 256 * 1024;

/** The text of a plan that the agent wants approved. Undefined if it cannot be read. */
export function readPlan(path: string): string | undefined {
  try {
    const found = statSync(path);
    // Reading anything else, such as a pipe, could block the terminal.
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
