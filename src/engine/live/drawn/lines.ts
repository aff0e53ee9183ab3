/** A heading and its lines, or that there are none. */
export function titled(title: string, lines: readonly (string | undefined)[]): string {
  const shown = lines.filter((line) => line !== undefined);
  return [`${title}:`, ...(shown.length === 0 ? ['  none'] : shown.map((line) => `  ${line}`))].join('\n');
}

/** A line of a table without its empty cells. */
export function row(name: string, value: string | number | null | undefined): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : `${name}: ${value}`;
}
