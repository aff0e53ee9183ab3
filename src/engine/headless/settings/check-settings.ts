import * as z from 'zod';
import { isEmpty, isJsonObject, type JsonObject } from './merge-settings.js';
import { parseSettings, settingsSchema, type Settings } from './settings-schema.js';

export type CheckedSettings = { readonly settings: Settings; readonly problems: readonly string[] };

/** The valid part of a settings file, and a sentence for each invalid value that was left out. */
export function checkSettings(raw: JsonObject): CheckedSettings {
  // Most files do not exist.
  if (isEmpty(raw)) return { settings: {}, problems: [] };
  const checked = parseSettings(raw);
  if (checked.success) return { settings: checked.data, problems: [] };
  const problems = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const rest = checkSettings(checked.error.issues.reduce((value, { path }) => without(value, path), raw));
  return { settings: rest.settings, problems: [...problems, ...rest.problems] };
}

/** The dotted paths of all settings in a file that the server does not know. */
export function unknownSettings(raw: JsonObject, schema: z.core.$ZodType = settingsSchema, path = ''): string[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
  return Object.entries(raw).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known) return isJsonObject(value) ? unknownSettings(value, known, name) : [];
    if (key === '$schema') return [];
    return path === '' && isJsonObject(value) ? Object.keys(value).map((child) => `${key}.${child}`) : [name];
  });
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}

/** The value without the part at `path`. An invalid list item removes its whole list. */
function without(value: JsonObject, [key, ...rest]: readonly PropertyKey[]): JsonObject {
  if (typeof key !== 'string') return value;
  const { [key]: inner, ...others } = value;
  return rest.length > 0 && isJsonObject(inner) ? { ...others, [key]: without(inner, rest) } : others;
}
