type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/**
 * Runs Node with other arguments in place of this process: same process id, same terminal, no second process. Returns where that
 * is not possible: before Node 22.15, and on Windows.
 */
export function replaceProcess(nodeArgs: readonly string[], env: NodeJS.ProcessEnv): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types of Node 20, which does not have it
  const { execve } = process as { readonly execve?: Execve };
  if (!execve || process.platform === 'win32') return;
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  execve(process.execPath, [process.execPath, ...nodeArgs], Object.fromEntries(given));
}
