import { closest } from '../../util/text/closest.js';
import { UsageError } from '../../util/usage-error.js';
import type { CliCommand } from './command.js';
import type { Flags } from './flag.js';

/** The error for an unknown flag. Suggests the closest one. */
export function unknownFlag(program: string, given: string, flags: Flags): UsageError {
  const near = nearFlag(given, flags);
  const advice = near === undefined ? `; see ${program} --help` : `. Did you mean ${near}?`;
  return new UsageError(`${program} has no flag ${flagNameOf(given)}${advice}`);
}

/** The error for a word that a command does not take. */
export function notTaken(program: string, { operands, verbs = [] }: CliCommand, word: string): UsageError {
  const near = closest(word, verbs);
  const advice = near === undefined ? `; see ${program} --help` : `. Did you mean ${near}?`;
  return new UsageError(`${program} takes ${operands ?? 'only flags'}, got "${word}"${advice}`);
}

export function nearFlag(given: string, flags: Flags): string | undefined {
  const names = Object.values(flags).map(({ name }) => name.slice(2));
  const near = closest(flagNameOf(given).slice(2), names);
  return near && `--${near}`;
}

export function flagNameOf(arg: string): string {
  return arg.split('=', 1)[0] ?? arg;
}
