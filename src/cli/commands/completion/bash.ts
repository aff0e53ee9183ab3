import type { Flag } from '../../argv/flag.js';
import { type CommandWords, commandWords, listSessions, ownFlags } from './words.js';

/** Completion for bash: `source <(cosession completion bash)`. */
export function bashCompletion(): string {
  const choices = [
    ...ownFlags.flatMap((flag) => choicesRow('', flag)),
    ...commandWords.flatMap(({ name, flags }) => flags.flatMap((flag) => choicesRow(name, flag))),
  ];
  return `_cosession() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="" words=""
  ((COMP_CWORD > 1)) && command="\${COMP_WORDS[1]}"
  case "$command $previous" in
${choices.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$command" in
${commandWords.map(commandRow).join('\n')}
    "") words="${[...commandWords.map(({ name }) => name), 'help', ...namesOf(ownFlags)].join(' ')}" ;;
    *) words="${namesOf(ownFlags).join(' ')}" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cosession cosession
`;
}

function choicesRow(command: string, { name, choices }: Flag): string[] {
  return choices ? [`  "${command} ${name}") words="${choices.join(' ')}" ;;`] : [];
}

function commandRow({ name, flags, verbs, takesSession }: CommandWords): string {
  const sessions = takesSession ? [`$(${listSessions} | cut -f 1)`] : [];
  return `    ${name}) words="${[...verbs, ...namesOf(flags), '--help', ...sessions].join(' ')}" ;;`;
}

function namesOf(flags: readonly Flag[]): string[] {
  return flags.map(({ name }) => name);
}
