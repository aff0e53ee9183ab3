import { explain } from '../../argv/help.js';
import type { Flag } from '../../argv/flag.js';
import { type CommandWords, commandWords, listSessions, ownFlags } from './words.js';

/** Completion for zsh: a file `_cosession` in a folder of `fpath`, or `source <(cosession completion zsh)`. */
export function zshCompletion(): string {
  return `#compdef cosession
_cosession_sessions() {
  local -a sessions
  local port folder
  while IFS=$'\\t' read -r port folder; do sessions+=("$port:\${folder//:/\\\\:}"); done < <(${listSessions})
  _describe session sessions
}
_cosession() {
  local -a commands
  commands=(
${commandWords.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) && [[ "$PREFIX" != -* ]]; then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  case "$command" in
${commandWords.map(commandRow).join('\n')}
  *) _arguments ${ownFlags.map(flagSpec).join(' ')} '*::word:_files' ;;
  esac
}
if [ "\${funcstack[1]}" = _cosession ]; then _cosession "$@"; else compdef _cosession cosession; fi
`;
}

function commandRow({ name, flags, verbs, takesSession }: CommandWords): string {
  const first = takesSession ? [`'1:session:_cosession_sessions'`] : [];
  const verb = verbs.length > 0 ? [`'1:what:(${verbs.join(' ')})'`] : [];
  const specs = [...flags.map(flagSpec), `'--help[show the help]'`, ...first, ...verb];
  return `  ${name}) ((CURRENT--)); shift words; _arguments ${specs.join(' ')} ;;`;
}

/** `--name[help]:value:(choices)`, in which brackets and colons of the help are escaped. */
function flagSpec(flag: Flag): string {
  const { name, type, value = 'value', choices, isRepeatable } = flag;
  const help = explain(flag).replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const offered = choices ? `(${choices.join(' ')})` : type === 'file' ? '_files' : ' ';
  return quoted(`${isRepeatable ? '*' : ''}${name}[${help}]${type === 'switch' ? '' : `:${value}:${offered}`}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
