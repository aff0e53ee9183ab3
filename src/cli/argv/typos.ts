import { closest } from '../../util/text/closest.js';
import { UsageError } from '../../util/usage-error.js';
import { isAddress } from '../../util/net/is-address.js';
import type { CliCommand } from './command.js';
import { commands, isCommand } from './commands.js';
import { liveFlags } from './live-flags.js';
import { flagNameOf, nearFlag, unknownFlag } from './unknown.js';

/**
 * All other arguments go to the Gemini CLI, which would run a mistyped command of ours as a paid prompt. Refuses
 * words that look like one of ours, unless the CLI itself knows them (`isOfCli`, called last because it is slow).
 */
export function refuseTypos(rest: readonly string[], isOfCli: (word: string) => boolean): void {
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  for (const arg of rest.slice(0, end).filter((each) => /^--\w[\w-]*(?:=|$)/.test(each))) {
    const isOurs = arg.startsWith('--a2a-') || (nearFlag(arg, liveFlags) !== undefined && !isOfCli(flagNameOf(arg)));
    if (isOurs) throw unknownFlag('cosession', arg, liveFlags);
  }
  const [word = '', ...more] = rest.slice(0, end);
  const near = /^\w+$/.test(word) ? closest(word, [...Object.keys(commands), 'help']) : undefined;
  if (near === undefined || !couldFollow(near, more) || isOfCli(word)) return;
  throw new UsageError(
    `"${word}" is not a command. Did you mean cosession ${near}? To send it as a prompt: cosession -i ${word}`,
  );
}

/** If more bare words follow the first one, it is probably an unquoted prompt. */
function couldFollow(command: string, more: readonly string[]): boolean {
  const flag = more.findIndex((arg) => arg.startsWith('-'));
  const words = flag < 0 ? more : more.slice(0, flag);
  const row: CliCommand | undefined = isCommand(command) ? commands[command] : undefined;
  return words.every((word) => isAddress(word) || /\s|^\d+$/.test(word) || row?.verbs?.includes(word));
}
