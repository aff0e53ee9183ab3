// A terminal as SVG.
import type { StyledRun } from '../../test/support/screen.js';

export const cell = { width: 8.4, height: 18 };

export type TerminalWindow = {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly lines: readonly (readonly StyledRun[])[];
};

/** A window with a title and lines of styled text. */
export function terminalWindow({ x, width, height, title, lines }: TerminalWindow): string {
  const text = lines.map((runs, y) => line(runs, 52 + y * cell.height)).join('\n');
  return `<g transform="translate(${x} 16)"><rect width="${width}" height="${height}" rx="8" fill="#1a1b26"/>
<text x="14" y="22" fill="#787c99" font-size="13">${escape(title)}</text>
${text}</g>`;
}

/** What the file needs around its windows. */
export function svg(width: number, height: number, windows: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" fill="#11131a"/>
${windows.join('\n')}
</svg>
`;
}

function line(runs: readonly StyledRun[], y: number): string {
  let column = 0;
  return runs
    .map(({ text, color, bold }) => {
      const x = 12 + column * cell.width;
      column += Array.from(text).length;
      if (text.trim() === '') return '';
      const length = (Array.from(text).length * cell.width).toFixed(1);
      return `<text xml:space="preserve" x="${x.toFixed(1)}" y="${y}" textLength="${length}" fill="${color ?? '#c0caf5'}"${bold ? ' font-weight="bold"' : ''}>${escape(text)}</text>`;
    })
    .join('');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
