/**
 * A command, one step a line, so that its end is as visible as its start. It is broken only after `&&`, `||`, `;` and `|`
 * outside of quotes. Joined, the steps are the command again: nothing is left out.
 */
export function stepsOf(command: string): string[] {
  const steps: string[] = [];
  let [start, quote] = [0, ''];
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (`"'\``.includes(character)) quote = character;
    else {
      const end = at + (/^(?:&&|\|\||;(?!;)|\|(?!\|)|\n)\s*/.exec(command.slice(at, at + 80))?.[0].length ?? 0);
      if (end === at) continue;
      steps.push(command.slice(start, end));
      start = end;
      at = end - 1;
    }
  }
  return [...steps, command.slice(start)].filter((step) => step !== '');
}
