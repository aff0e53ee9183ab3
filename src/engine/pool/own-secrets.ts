import { hideStart } from '../../util/text/hide-start.js';
import { isNeeded, secretNames } from '../headless/settings/tool-env.js';
import { hasPassword } from '../../util/text/has-password.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Prevents a shell tool from reading the secrets it was not given from the process that started it. Returns false where
 * the system shows how processes were started and nothing can be done about it.
 */
export function hideSecrets(): boolean {
  return hideStart(process.env, { variable: isNeeded, argument: (text) => !hasPassword(text) });
}

/**
 * Removes the secrets from the environment of this process, which hooks, MCP servers and tools of a workspace inherit.
 * From here on only the code that received them has them: the model's client, the store, the traces.
 */
export function forgetSecrets(): void {
  for (const name of ownSecrets(process.env)) delete process.env[name];
}

/** The environment for one of our own processes, which receives its secrets in another way. */
export function withoutOwnSecrets(env: Environment): NodeJS.ProcessEnv {
  const secret = new Set(ownSecrets(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

function ownSecrets(env: Environment): string[] {
  return secretNames(env).filter((name) => !isReadLater(name));
}

/** Core and Google's libraries read their configuration from the process environment whenever they need it. */
function isReadLater(name: string): boolean {
  return /^(GEMINI|GOOGLE)_(?!.*(API_KEY|AUTH_TOKEN)$)|^https?_proxy$/i.test(name);
}
