import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { httpApiPage, webSocketApiPage } from './support/api-pages.js';
import { parseMessage } from '../src/dialects/shared/message.js';
import { commandParams } from '../src/server/endpoint/command-methods.js';
import { cursorParams, idParams } from '../src/server/endpoint/methods.js';
import { apiExamples, eventExamples } from './support/api-examples.js';
import { undocumented } from './support/known-events.js';
import { withChecklist } from './support/checklist-table.js';
import { commandLinePage } from './support/command-line-page.js';
import { ensureDebian } from './support/debian.js';
import { errorsPage } from './support/errors-page.js';
import { manPage } from './support/man-page.js';
import { avoidedIn, avoidedWords, brokenLinks, missingPaths, pages } from './support/pages.js';
import { withServeFlags } from './support/serve-flags-table.js';

test('docs/errors.md is what npm run docs makes', async () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(await errorsPage());
});

test('docs/command-line.md is what npm run docs makes', async () => {
  expect(readFileSync('docs/command-line.md', 'utf8')).toBe(await commandLinePage());
});

test('man/cosession.1 is what npm run docs makes, and mandoc has nothing to say about it', () => {
  ensureDebian({ '/usr/bin/mandoc': 'mandoc' });
  expect(readFileSync('man/cosession.1', 'utf8')).toBe(manPage());
  const ran = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', 'man/cosession.1'], { encoding: 'utf8' });
  expect(ran.stdout).toBe('');
});

test('the pages of the API are what npm run docs makes', async () => {
  expect(readFileSync('docs/http-api.md', 'utf8')).toBe(await httpApiPage());
  expect(readFileSync('docs/websocket-api.md', 'utf8')).toBe(await webSocketApiPage());
});

test('the examples of the WebSocket API have the documented form', () => {
  const { 'message/stream': prompt, 'message/send': answer, ...others } = apiExamples;
  expect(parseMessage(prompt)).toMatchObject({ type: 'prompt', messageId: 'm-1' });
  expect(parseMessage(answer)).toMatchObject({ type: 'answer', callId: 'call-1' });
  for (const method of ['tasks/get', 'tasks/cancel']) expect(idParams.parse(others[method])).toEqual(others[method]);
  expect(cursorParams.parse(others['tasks/resubscribe'])).toEqual({ after: 42 });
  expect(commandParams.parse(others['command/execute'])).toMatchObject({ command_path: ['memory', 'show'] });
  expect(undocumented(Object.values(others))).toEqual([]);
  expect(Object.values(eventExamples).map(({ kind }) => kind)).toEqual(Object.keys(eventExamples));
});

test('the checklist of docs/conformance.md is what npm run docs makes', async () => {
  const page = readFileSync('docs/conformance.md', 'utf8');
  expect(page).toBe(await withChecklist(page));
});

test('the flags in docs/server.md are what npm run docs makes', async () => {
  const page = readFileSync('docs/server.md', 'utf8');
  expect(page).toBe(await withServeFlags(page));
  expect(page).toContain('`CODER_AGENT_PORT`');
});

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test.each(pages)('every path that %s names exists', (page) => {
  expect(missingPaths(page)).toEqual([]);
});

test('test/support/README.md names every file and folder beside it', () => {
  const index = readFileSync('test/support/README.md', 'utf8');
  const entries = readdirSync('test/support', { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  expect(names.filter((name) => name !== 'README.md' && !index.includes(`\`${name}\``))).toEqual([]);
});

test('docs/README.md is an index of every page', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const names = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(names.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test('no page uses a word that the glossary avoids', () => {
  const words = avoidedWords();
  expect(words.length).toBeGreaterThan(50);
  const others = pages.filter((page) => page !== 'docs/glossary.md' && page !== 'CHANGELOG.md');
  expect(others.flatMap((page) => avoidedIn(page, words).map((word) => `${page}: ${word}`))).toEqual([]);
});

test('CI runs the test command of the README, and nothing else', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => /^npm|^node|^npx/.test(line));
  expect(commands).toEqual(['npm test']);
  expect(readFileSync('README.md', 'utf8')).toMatch(/^npm test\b/m);
});
