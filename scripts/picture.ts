// Draws docs/shared-session.svg from a real run: the demo in a terminal, and a client on the same session.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoScript } from '../src/demo/script.js';
import { startLive } from '../test/support/live.js';
import type { StyledRun } from '../test/support/screen.js';

const columns = 92;
const rows = 30;
const cell = { width: 8.4, height: 18 };
const panel = { width: columns * cell.width + 24, clientWidth: 600, height: rows * cell.height + 56 };

const folder = mkdtempSync(join(tmpdir(), 'cosession-picture-'));
const live = await startLive({
  script: demoScript,
  port: 41_243,
  cols: columns,
  rows,
  workspace: join(folder, 'my-project'),
});
await live.screen.waitFor('A2A endpoint on');
const phone = await live.connect('?client=phone');
const log: string[] = ['$ wscat -c "ws://localhost:41243/ws?client=phone"'];
log.push(`< ${JSON.stringify(await phone.kind('SNAPSHOT'))}`);
phone.socket.on('message', (data: Buffer) => log.push(`< ${data.toString()}`));
log.push('> {"jsonrpc":"2.0","method":"message/stream","params":{"message":…');
phone.notify('message/stream', { message: { content: { text: 'run the tests' } } });
const asked = await phone.pending();
await live.screen.waitFor('No, suggest changes');
const terminal = live.screen.styled();
log.push(
  '> {"jsonrpc":"2.0","method":"message/stream","params":{"message":…',
  '   {"kind":"TOOL_CALL_CONFIRMATION","selected_option_id":"proceed_once"…',
);
await phone.answer(asked['tool_call_id'], 'proceed_once');
await phone.tool('SUCCEEDED');
await phone.state('completed');
phone.close();
await live.stop();
rmSync(folder, { recursive: true, force: true });

writeFileSync('docs/shared-session.svg', svg(terminal, shorten(log)));

/** Puts each event on one line without repeated fields, and leaves out text chunks after the first. */
function shorten(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  return lines
    .filter((line) => !/"(USAGE|SETTINGS|id)":|"kind":"(USAGE|SETTINGS|CONSOLE_LOG)"/.test(line))
    .filter((line) => {
      const key = /"kind":"(TEXT_CONTENT)"|"status":"(EXECUTING)"/.exec(line)?.[0];
      const isNew = key === undefined || !seen.has(key);
      if (key !== undefined) seen.add(key);
      return isNew;
    })
    .map((line) =>
      line
        .replaceAll(/,"(taskId|turnId|description|input_parameters)":("[^"]*"|\{[^}]*\})/g, '')
        .replace(/"tool_call_id":"[^"]*",/, ''),
    )
    .flatMap((line) => (line.length > 68 ? [`${line.slice(0, 67)}…`] : [line]));
}

function svg(left: readonly (readonly StyledRun[])[], right: readonly string[]): string {
  const width = panel.width + panel.clientWidth + 48;
  const client = right.map((line) => [{ text: line, color: line.startsWith('<') ? '#9ece6a' : '#c0caf5' }]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panel.height + 32}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" fill="#11131a"/>
${window(16, panel.width, 'Terminal: cosession --demo --a2a-port 41243', left)}
${window(panel.width + 32, panel.clientWidth, 'Client: any WebSocket', client)}
</svg>
`;
}

function window(x: number, width: number, title: string, lines: readonly (readonly StyledRun[])[]): string {
  const text = lines.map((runs, y) => line(runs, 52 + y * cell.height)).join('\n');
  return `<g transform="translate(${x} 16)"><rect width="${width}" height="${panel.height}" rx="8" fill="#1a1b26"/>
<text x="14" y="22" fill="#787c99" font-size="13">${escape(title)}</text>
${text}</g>`;
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
