import { existsSync, readFileSync } from 'node:fs';

/** The ids that tools left behind, one for each time that one ran. */
export function readRuns(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** No tool ran twice. */
export function checkRuns(runs: readonly string[]): string[] {
  return runs.filter((id, index) => runs.indexOf(id) !== index).map((id) => `${id} ran twice`);
}
