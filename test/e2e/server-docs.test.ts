import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { openShell } from '../support/shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** What docs/server.md says to type, line by line, with what it promises to see behind "# →". */
const lines = [...readFileSync('docs/server.md', 'utf8').matchAll(/^```bash\n(.*?)^```/gms)]
  .flatMap(([, block = '']) => block.replaceAll('\\\n', '').trim().split('\n'))
  .map((line) => {
    const [command = '', seen = ''] = line.split(/ +# → /);
    return { command, seen };
  });

/** A folder for the PATH. */
function folderWithCosession(folder: string): string {
  mkdirSync(folder);
  const file = join(folder, 'cosession');
  writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} ${resolve('dist/main.js')} "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}

async function served(port: number): Promise<void> {
  await until(() =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

test('every command line of docs/server.md does what the page says', async () => {
  const folder = temporaryFolder();
  const [first, second] = [await freePort(), await freePort()];
  const shell = openShell(folder, {
    PATH: [folderWithCosession(join(folder, 'bin')), process.env['PATH']].join(delimiter),
    HOME: folder,
    COSESSION_STATE_DIR: join(folder, 'state'),
    CODER_AGENT_PORT: String(first),
  });
  const failures: string[] = [];
  for (const { command, seen } of lines) {
    // wscat waits for somebody to type: test/e2e/guide.test.ts.
    if (command.includes('wscat')) continue;
    const printed = await shell.run(command.replaceAll('41242', String(first)).replaceAll('41244', String(second)));
    // A reader types more slowly than a server starts.
    if (command.startsWith('cosession serve')) await served(command.includes('41244') ? second : first);
    const missing = seen.split(', ').filter((text) => !printed.includes(text));
    if (missing.length > 0) failures.push(`${command}\n→ ${missing.join(', ')} is missing in\n${printed}`);
  }
  expect(failures.join('\n\n')).toBe('');
  expect(lines.filter(({ seen }) => seen !== '').length).toBeGreaterThan(30);
});
