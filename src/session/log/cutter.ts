/** The limits for one text, and for everything together. */
const textKept = 128 * 1024;
const allKept = 1024 * 1024;
/** Names, ids and options are shorter than this and are never cut. */
const shortText = 1024;
const maxDepth = 64;

/** Shortens what is too large to send. Each cut text ends with its original length and where to find the whole. */
export class Cutter {
  readonly #where: string;
  #left = allKept;

  constructor(where: string) {
    this.#where = where;
  }

  text(text: string): string {
    const room = text.length <= shortText ? shortText : Math.min(textKept, this.#left);
    this.#left = Math.max(0, this.#left - Math.min(text.length, room));
    if (text.length <= room) return text;
    return `${wholeCharacters(text, room)}\n[cut: ${text.length} characters in all, the whole is at ${this.#where}]`;
  }

  record(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#record(record, 0);
  }

  list<T>(items: readonly T[], cut: (item: T) => T): T[] {
    const kept: T[] = [];
    for (const item of items) if (this.#left > 0) kept.push(cut(item));
    return kept;
  }

  /** Shortens every text and list at any depth and keeps every field, so the result has the same type. */
  every<T>(value: T): T;
  every(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    this.#left = Math.max(0, this.#left - 16);
    if (Array.isArray(value)) return this.list<unknown>(value, (item) => this.every(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, this.every(field)]));
  }

  values(values: readonly unknown[], depth = 0): unknown[] {
    const kept = this.list(values, (value) => this.#value(value, depth));
    return kept.length === values.length ? kept : [...kept, this.#note(values.length)];
  }

  #record(record: object, depth: number): Record<string, unknown> {
    const members = Object.entries(record);
    const kept = this.list<[string, unknown]>(members, ([key, value]) => [this.text(key), this.#value(value, depth)]);
    // Built from entries, because a key may be `__proto__`.
    return Object.fromEntries(kept.length === members.length ? kept : [...kept, ['…', this.#note(members.length)]]);
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    this.#left = Math.max(0, this.#left - 16);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxDepth) return this.#note(Object.keys(value).length);
    return Array.isArray(value) ? this.values(value, depth + 1) : this.#record(value, depth + 1);
  }

  #note(count: number): string {
    return `[cut: ${count} values in all, the whole is at ${this.#where}]`;
  }
}

/** A character above U+FFFF is two code units, which must stay together. */
function wholeCharacters(text: string, length: number): string {
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isSplit ? length - 1 : length);
}
