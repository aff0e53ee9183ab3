import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { WorkspaceFiles } from '../../src/tasks/workspace-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const workspace = temporaryFolder();
const elsewhere = temporaryFolder();

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

beforeAll(() => {
  for (const path of ['README.md', 'src/transport.ts', 'src/port.ts', 'src/deep/er/report.md', 'a file.txt'])
    write(path);
  for (const path of ['.git/config', 'node_modules/x/port.js', 'dist/port.js', 'src/port.tmp', 'src/own/port.log'])
    write(path);
  write('.gitignore', 'dist/\n*.tmp\n');
  write('src/own/.gitignore', '*.log\n');
  writeFileSync(join(elsewhere, 'port-secret.txt'), '');
  symlinkSync(elsewhere, join(workspace, 'link'));
  symlinkSync(join(elsewhere, 'port-secret.txt'), join(workspace, 'port-link.txt'));
});

const find = (text: string, count = 10) => new WorkspaceFiles().find(workspace, text, count);

test('names that begin with the text come first, then names that have it, then paths', async () => {
  expect(await find('port')).toEqual(['src/port.ts', 'src/transport.ts', 'src/deep/er/report.md']);
  expect(await find('SRC/')).toEqual([
    'src/port.ts',
    'src/transport.ts',
    'src/own/.gitignore',
    'src/deep/er/report.md',
  ]);
  expect(await find('port', 1)).toEqual(['src/port.ts']);
});

test('ignored files, links and what they lead to are left out', async () => {
  const all = await find('', 100);
  expect(all).toContain('a file.txt');
  expect(all.filter((path) => /secret|link|dist|node_modules|\.git\/|tmp|log/.test(path))).toEqual([]);
});

test('a workspace that is gone has no files', async () => {
  expect(await new WorkspaceFiles().find(join(workspace, 'gone'), '', 10)).toEqual([]);
});

test('what is typed quickly shares one look at the disk; later the disk is looked at again', async () => {
  let now = 0;
  const files = new WorkspaceFiles(() => now);
  expect(await files.find(workspace, 'late', 10)).toEqual([]);
  write('late.txt');
  now = 4999;
  expect(await files.find(workspace, 'late', 10)).toEqual([]);
  now = 5000;
  expect(await files.find(workspace, 'late', 10)).toEqual(['late.txt']);
});
