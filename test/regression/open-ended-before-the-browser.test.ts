import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mainScript } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const url = 'http://127.0.0.1:41243/';

/** The built program, with a stand-in for the program that opens addresses. */
async function open(opener: string): Promise<string> {
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${opener}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, COSESSION_STATE_DIR: folder };
  return (await promisify(execFile)(process.execPath, [mainScript, 'open', url], { env })).stdout;
}

test('cosession open waits for the program that opens the page', async () => {
  expect(await open(`printf %s "$*" > ${join(folder, 'opened')}`)).toBe(`${url}\n`);
  expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(url);
});

test('cosession open says what to do where there is no browser', async () => {
  expect(await open('exit 3')).toBe(`${url}\nNo browser could be started: open this address yourself.\n`);
});
