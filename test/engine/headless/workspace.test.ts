import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/domain/errors.js';
import { resolveWorkspace } from '../../../src/engine/headless/workspace.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const base = realpathSync(temporaryFolder());
for (const folder of ['root/project/deep', 'root-twin', 'default/inner', 'outside/secret'])
  mkdirSync(join(base, folder), { recursive: true });
symlinkSync(join(base, 'outside'), join(base, 'root/link-out'));
symlinkSync(join(base, 'nowhere'), join(base, 'root/dangling'));
symlinkSync(join(base, 'root/project'), join(base, 'default/link-in'));
writeFileSync(join(base, 'root/file'), '');
const rules = { roots: [join(base, 'root')], defaultWorkspace: join(base, 'default') };

test.each([
  ['nothing', undefined, 'default'],
  ['an empty path', '', 'default'],
  ['the root itself', join(base, 'root'), 'root'],
  ['a folder in it', join(base, 'root/project/deep'), 'root/project/deep'],
  ['a relative path', 'inner', 'default/inner'],
  ['.. that stays inside', join(base, 'root/project/../project'), 'root/project'],
  ['a link to an allowed folder', 'link-in', 'root/project'],
  ['a slash at the end', `${join(base, 'root/project')}/`, 'root/project'],
])('allowed: %s', (_name, requested, expected) => {
  expect(resolveWorkspace(requested, rules)).toBe(join(base, expected));
});

test.each([
  ['another folder', join(base, 'outside')],
  ['the parent', base],
  ['the root of the disk', '/'],
  ['..', '..'],
  ['.. hidden in a path', join(base, 'root') + '/project/../../outside'],
  ['a relative path upwards', '../outside'],
  ['a name that begins like the root', join(base, 'root-twin')],
  ['a link that leads out', join(base, 'root/link-out')],
  ['a folder behind such a link', join(base, 'root/link-out/secret')],
  ['what does not exist behind such a link', join(base, 'root/link-out/new/deep')],
  ['what does not exist outside', join(base, 'elsewhere/new')],
  ['a zero byte', join(base, 'root') + '\0/../outside'],
  ['another case', join(base, 'ROOT')],
])('refused: %s', (_name, requested) => {
  expect(codeOf(() => resolveWorkspace(requested, rules))).toBe('workspace-not-allowed');
});

test.each([
  ['a file', join(base, 'root/file')],
  ['a folder that does not exist', join(base, 'root/new')],
  ['a link to nothing', join(base, 'root/dangling')],
])('not a folder: %s', (_name, requested) => {
  expect(codeOf(() => resolveWorkspace(requested, rules))).toBe('bad-request');
});

test('roots may be links themselves', () => {
  symlinkSync(join(base, 'root'), join(base, 'alias'));
  const aliased = { ...rules, roots: [join(base, 'alias')] };
  expect(resolveWorkspace(join(base, 'alias/project'), aliased)).toBe(join(base, 'root/project'));
});

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown);
  }
}
