export type Style = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

/** Terminal colours, or none. */
export function styleOf(useColor: boolean): Style {
  const paint = (on: number, off: number) => (text: string) => (useColor ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
