import type { Row } from './bench.js';

/** Formats rows as aligned text: the first column to the left, figures to the right. */
export function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0, index)).join('   '));
  const rule = widths.map((width) => '─'.repeat(width)).join('───');
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function pad(cell: string, width: number, index: number): string {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** A noisy machine is not more precise than three digits. */
function show(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}
