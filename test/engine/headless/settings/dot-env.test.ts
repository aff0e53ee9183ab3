import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readDotEnv } from '../../../../src/engine/headless/settings/dot-env.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const project = 'A=1\nDEBUG=1\nMINE=1\nGEMINI_API_KEY="key;rm -rf"\nGOOGLE_CLOUD_PROJECT=p-1';
const sure = { trusted: true, excluded: [], ignoreLocal: false };

test.each([
  ['.env of the workspace', { 'up/work/.env': 'A=1' }, sure, { A: '1' }],
  ['.gemini/.env is first', { 'up/work/.env': 'A=1', 'up/work/.gemini/.env': 'A=2' }, sure, { A: '2' }],
  ['one file only, the nearest', { 'up/.gemini/.env': 'B=2', 'up/work/.env': 'A=1' }, sure, { A: '1' }],
  ['a folder above', { 'up/.env': 'A=1', 'home/.env': 'A=2' }, sure, { A: '1' }],
  ['then the home folder', { 'home/.env': 'A=1', 'home/.gemini/.env': 'A=2' }, sure, { A: '2' }],
  ['no file', {}, sure, {}],
  [
    'a project sets neither DEBUG nor what is excluded',
    { 'up/work/.env': project },
    { ...sure, excluded: ['MINE'] },
    { A: '1', GEMINI_API_KEY: 'key;rm -rf', GOOGLE_CLOUD_PROJECT: 'p-1' },
  ],
  ['a file in .gemini sets DEBUG', { 'up/work/.gemini/.env': 'DEBUG=1' }, sure, { DEBUG: '1' }],
  [
    'untrusted: only who logs in, without odd characters',
    { 'up/work/.env': project },
    { ...sure, trusted: false },
    { GEMINI_API_KEY: 'keyrm-rf', GOOGLE_CLOUD_PROJECT: 'p-1' },
  ],
  ['untrusted: nothing from .gemini', { 'up/work/.gemini/.env': project }, { ...sure, trusted: false }, {}],
  ['ignoreLocal', { 'up/work/.env': 'A=1', 'home/.env': 'A=2' }, { ...sure, ignoreLocal: true }, { A: '2' }],
])('%s', (_name, files, options, expected) => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ 'home/x': '', 'up/work/x': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const read = readDotEnv({ ...options, workspace: join(folder, 'up/work'), home: join(folder, 'home') });
  expect(read).toEqual(expected);
});
