type Defined<T> = { [K in keyof T]?: T[K] & ({} | null) };

/**
 * The entries of an object that have a value. Optional properties are absent, never `undefined`:
 * `{ text, ...defined({ messageId }) }`.
 */
export function defined<T extends object>(entries: T): Defined<T> {
  const given: Defined<T> = {};
  for (const key in entries) {
    const value = entries[key];
    if (value !== undefined) given[key] = value;
  }
  return given;
}
