/** The text with other words in it. Throws if it does not have what is to be replaced. */
export function swap(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`the example has no "${from}"`);
    return whole.replaceAll(from, to);
  }, text);
}
