/** Shell code for `eval "$(cosession alias)"`: makes "gemini" start this cosession. */
export function aliasFor(shell: string, node: string, script: string): string {
  const command = `${quote(node)} ${quote(script)}`;
  if (shell.endsWith('fish')) return `function gemini; ${command} $argv; end\n`;
  return `gemini() { ${command} "$@"; }\n`;
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
