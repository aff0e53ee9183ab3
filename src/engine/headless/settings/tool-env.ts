import { hasPassword } from '../../../util/text/has-password.js';
import type { Environment } from './expand-variables.js';

export type ToolEnvOptions = {
  /** The server's environment. */
  readonly env: Environment;
  /** The variables that the workspace's `.env` sets. */
  readonly dotEnv: Environment;
  /** `security.environmentVariableRedaction`: names that the operator wants passed on, and names never passed on. */
  readonly allowed?: readonly string[];
  readonly blocked?: readonly string[];
};

/**
 * The whole environment of shell tools: what programs need to work at all, from the server's environment, and what the
 * workspace's `.env` sets. Anything that looks like a secret is left out, unless the operator names it.
 */
export function toolEnv({ env, dotEnv, allowed = [], blocked = [] }: ToolEnvOptions): Record<string, string> {
  const named = new Set(allowed);
  const passes = (name: string, isPassed: boolean): boolean =>
    !blocked.includes(name) && !isOurs(name) && (named.has(name) || (isPassed && !looksSecret(name)));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && passes(name, isNeeded(name))) result[name] = value;
  }
  for (const [name, value] of Object.entries(dotEnv)) {
    const isSafe = value !== undefined && !hasPassword(value);
    if (isSafe && passes(name, true) && !(name in result)) result[name] = value;
  }
  return result;
}

/** Names in the server's environment that no child process may see. Hooks and MCP servers inherit all others. */
export function secretNames(env: Environment, allowed: readonly string[] = []): string[] {
  const isSecret = (name: string): boolean => looksSecret(name) || hasPassword(env[name] ?? '');
  return Object.keys(env).filter((name) => isOurs(name) || (isSecret(name) && !allowed.includes(name)));
}

const needed = new Set(
  [
    'PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TZ TERM COLORTERM NO_COLOR EDITOR TMPDIR TMP TEMP',
    'XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME',
    'CI NODE_ENV JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME VIRTUAL_ENV PYTHONPATH',
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE NO_PROXY no_proxy',
    // Windows
    'Path PATHEXT SystemRoot SYSTEMROOT COMSPEC ComSpec WINDIR windir USERPROFILE APPDATA LOCALAPPDATA',
    'PROGRAMDATA ProgramFiles SystemDrive HOMEDRIVE HOMEPATH USERNAME',
  ].flatMap((line) => line.split(' ')),
);

/** Whether programs need the variable to work at all. Such variables are not secret. */
export function isNeeded(name: string): boolean {
  return needed.has(name) || name.startsWith('LC_');
}

/** The server's own settings contain its tokens and the address of its store: no operator can pass them on by mistake. */
function isOurs(name: string): boolean {
  return name.startsWith('COSESSION_');
}

const secretPrefixes = /^(GEMINI|GOOGLE|GCLOUD|GCP|AWS|AZURE|OPENAI|ANTHROPIC|GITHUB|GITLAB|NPM_CONFIG|npm_config)_/;
const secretWords =
  /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH|COOKIE|CERT|DSN|HEADERS)(_|$)/i;
const databaseAddress = /(^|_)(DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS)(_|[A-Z]*$)/i;

function looksSecret(name: string): boolean {
  return !isNeeded(name) && (secretPrefixes.test(name) || secretWords.test(name) || databaseAddress.test(name));
}
