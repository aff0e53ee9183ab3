import { hideStart } from '../../util/hide-start.js';
import { isNeeded, secretNames } from '../headless/settings/tool-env.js';
import { hasPassword } from '../../util/has-password.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a shell tool is not given it cannot read from the process that started it either. Returns false where the system
 * shows how processes were started and nothing can be done about it.
 */
export function hideSecrets(): boolean {
  return hideStart(process.env, { variable: isNeeded, argument: (text) => !hasPassword(text) });
}

/**
 * Takes the secrets out of the environment of this process, which hooks, MCP servers and tools of a workspace inherit. From
 * here on they are only with those who were handed them: the model's client, the store, the traces.
 */
export function forgetSecrets(): void {
  for (const name of ownSecrets(process.env)) delete process.env[name];
}

/** The environment for a process of ours that is handed its secrets in another way. */
export function withoutOwnSecrets(env: Environment): NodeJS.ProcessEnv {
  const secret = new Set(ownSecrets(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

function ownSecrets(env: Environment): string[] {
  return secretNames(env).filter((name) => !isReadLater(name));
}

/** Core and Google's libraries read their configuration from the environment of the process whenever they need it. */
function isReadLater(name: string): boolean {
  return /^(GEMINI|GOOGLE)_(?!.*(API_KEY|AUTH_TOKEN)$)|^https?_proxy$/i.test(name);
}
