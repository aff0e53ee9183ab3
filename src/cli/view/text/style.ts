export type Paint = (text: string) => string;

export type Style = Readonly<
  Record<'bold' | 'dim' | 'italic' | 'underline' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan', Paint>
>;

/** Terminal colours, or none. */
export function styleOf(useColor: boolean): Style {
  const paint = (on: number, off: number) => (text: string) => (useColor ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    italic: paint(3, 23),
    underline: paint(4, 24),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  };
}
