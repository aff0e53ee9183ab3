import { explain } from '../../argv/help.js';
import type { Flag } from '../../argv/flag.js';
import { type CommandWords, commandWords, listSessions, ownFlags } from './words.js';

/** Completion for fish: `cosession completion fish | source`. */
export function fishCompletion(): string {
  const noCommand = '__fish_use_subcommand';
  return `function __cosession_sessions
  ${listSessions}
end
${commandWords.map(({ name, summary }) => line(noCommand, `-f -a ${name} -d ${quoted(summary)}`)).join('\n')}
${ownFlags.map((flag) => line(noCommand, flagPart(flag))).join('\n')}
${commandWords.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, flags, verbs, takesSession }: CommandWords): string[] {
  const after = `__fish_seen_subcommand_from ${name}`;
  return [
    ...flags.map((flag) => line(after, flagPart(flag))),
    line(after, "-l help -d 'show the help'"),
    ...(verbs.length > 0 ? [line(after, `-f -a ${quoted(verbs.join(' '))}`)] : []),
    ...(takesSession ? [line(after, "-f -a '(__cosession_sessions)'")] : []),
  ];
}

function flagPart(flag: Flag): string {
  const { name, type, choices } = flag;
  const offered = choices ? ` -f -a ${quoted(choices.join(' '))}` : '';
  return `-l ${name.slice(2)}${type === 'switch' ? '' : ' -r'}${offered} -d ${quoted(explain(flag))}`;
}

function line(condition: string, rest: string): string {
  return `complete -c cosession -n ${quoted(condition)} ${rest}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
