import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type ShareableQuestion = {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly workspace: string;
};

/** One sentence on why the session that is about to start cannot be shared; undefined if it can. */
export function whyNotShareable({ args, env, workspace }: ShareableQuestion): string | undefined {
  if (args.some((arg) => /^(-p|--prompt)(=|$)/.test(arg))) {
    return '--a2a-port shares the terminal session, and -p runs without one; use -i to start with a prompt';
  }
  if (args.some((arg) => arg === '--acp' || arg === '--experimental-acp')) {
    return '--a2a-port shares the terminal session, and --acp runs without one';
  }
  if (isSandboxed(args, env, workspace)) {
    return '--a2a-port cannot reach into a sandbox: the Gemini CLI would restart inside a container; use --no-sandbox';
  }
  return undefined;
}

function isSandboxed(args: readonly string[], env: NodeJS.ProcessEnv, workspace: string): boolean {
  if (args.some((arg) => arg === '--no-sandbox' || arg === '--sandbox=false')) return false;
  if (args.some((arg) => /^(-s|--sandbox)(=|$)/.test(arg) || arg === '--sandbox-image')) return true;
  const variable = env['GEMINI_SANDBOX'];
  if (variable !== undefined) return !['', '0', 'false'].includes(variable.toLowerCase());
  const home = env['GEMINI_CLI_HOME'] ?? homedir();
  return [workspace, home].map(sandboxSetting).find((setting) => setting !== undefined) ?? false;
}

/** `tools.sandbox` of a settings file. The file may contain comments, so it is searched, not parsed. */
function sandboxSetting(folder: string): boolean | undefined {
  const file = join(folder, '.gemini', 'settings.json');
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const value = /"sandbox"\s*:\s*(true|false|"[^"]*")/.exec(text)?.[1];
  return value === undefined ? undefined : value !== 'false' && value !== '""';
}
