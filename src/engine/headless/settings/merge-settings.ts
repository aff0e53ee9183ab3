export type JsonObject = { readonly [key: string]: unknown };

/** Merges settings; the last one wins. Objects merge by key; lists and plain values are replaced, except as in the table. */
export function mergeSettings(...sources: readonly JsonObject[]): JsonObject {
  return sources.reduce((merged, source) => merge(merged, source, []), {});
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

/** The settings that the Gemini CLI does not simply replace, with its rule for each. */
const rules: Readonly<Record<string, 'by-name' | 'append' | 'union'>> = {
  mcpServers: 'by-name',
  'context.includeDirectories': 'append',
  'context.fileFiltering.customIgnoreFilePaths': 'union',
  'tools.exclude': 'union',
  'advanced.excludedEnvVars': 'union',
  'skills.disabled': 'union',
  'hooksConfig.disabled': 'union',
};

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);

function merge(target: JsonObject, source: JsonObject, path: readonly string[]): JsonObject {
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(source)) {
    if (!unsafeKeys.has(key)) merged[key] = mergeValue(merged[key], value, [...path, key]);
  }
  return merged;
}

function mergeValue(old: unknown, value: unknown, path: readonly string[]): unknown {
  const rule = path[0] === 'hooks' && path.length === 2 ? 'append' : rules[path.join('.')];
  if (isJsonObject(value)) {
    if (rule === 'by-name') return { ...(isJsonObject(old) ? old : {}), ...value };
    return merge(isJsonObject(old) ? old : {}, value, path);
  }
  if (!Array.isArray(old) || rule === undefined) return value;
  const both: unknown[] = [old, value].flat();
  return rule === 'union' ? [...new Set(both)] : both;
}
