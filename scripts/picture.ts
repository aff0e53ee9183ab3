// Draws docs/shared-session.svg from a real run: the demo in a terminal, and a client on the same session.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoScript } from '../src/demo/script.js';
import { startLive } from '../test/support/live.js';
import type { StyledRun } from '../test/support/screen.js';
import { cell, svg, terminalWindow } from './pictures/terminal.js';

const columns = 92;
const rows = 30;
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

writeFileSync('docs/shared-session.svg', picture(terminal, shorten(log)));

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

function picture(left: readonly (readonly StyledRun[])[], right: readonly string[]): string {
  const { width, clientWidth, height } = panel;
  const client = right.map((line) => [{ text: line, color: line.startsWith('<') ? '#9ece6a' : '#c0caf5' }]);
  return svg(width + clientWidth + 48, height + 32, [
    terminalWindow({ x: 16, width, height, title: 'Terminal: cosession --demo --a2a-port 41243', lines: left }),
    terminalWindow({ x: width + 32, width: clientWidth, height, title: 'Client: any WebSocket', lines: client }),
  ]);
}
