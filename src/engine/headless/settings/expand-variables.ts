export type Environment = Readonly<Record<string, string | undefined>>;

/** Expands `$NAME`, `${NAME}` and `${NAME:-default}` in every string of a value. An unset variable stays as written. */
export function expandVariables(value: unknown, env: Environment): unknown {
  if (typeof value === 'string') return expandString(value, env);
  if (Array.isArray(value)) return value.map((item) => expandVariables(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expandVariables(inner, env)]));
}

function expandString(text: string, env: Environment): string {
  return text.replaceAll(variable, (match: string, plain?: string, braced?: string, fallback?: string) => {
    const name = plain ?? braced ?? '';
    return (Object.hasOwn(env, name) ? env[name] : undefined) ?? fallback ?? match;
  });
}

const variable = /\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})/g;
