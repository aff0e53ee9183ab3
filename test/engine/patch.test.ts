import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCli, isSupported, unsupportedSentence } from '../../src/engine/live/find-cli.js';
import { isUiFile, patch, tapKey } from '../../src/engine/live/patch.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Loads a patched module with a tap that records and wraps. */
async function load(source: string): Promise<{ module: Record<string, unknown>; tapped: string[] }> {
  const tapped: string[] = [];
  const tap = (name: string, original: () => string) => {
    tapped.push(name);
    return () => `tapped ${original()}`;
  };
  Object.defineProperty(globalThis, Symbol.for(tapKey), { value: tap, configurable: true });
  const module = (await import(`data:text/javascript,${encodeURIComponent(patch(source))}`)) as Record<string, unknown>;
  return { module, tapped };
}

test.each([
  ['a function', 'function useMessageQueue() { return "q" } export { useMessageQueue };'],
  ['an exported function', 'export function useMessageQueue() { return "q" }'],
  ['a var', 'var useMessageQueue = () => "q"; export { useMessageQueue };'],
  ['a const', 'export const useMessageQueue = () => "q";'],
])('%s is wrapped, for importers too', async (_name, source) => {
  const { module, tapped } = await load(source);
  expect(tapped).toEqual(['useMessageQueue']);
  expect((module['useMessageQueue'] as () => string)()).toBe('tapped q');
});

test('a module without our functions is left alone, byte for byte', () => {
  expect(patch('export const other = 1;')).toBe('export const other = 1;');
  expect(patch('// useMessageQueue = here')).toBe('// useMessageQueue = here');
});

test.each([
  ['file:///x/node_modules/@google/gemini-cli/bundle/interactiveCli-4ZJLSCID.js', true],
  ['file:///x/bundle/gemini.js', false],
  ['file:///x/bundle/chunk-5FZXKDXH.js', false],
])('%s: %s', (url, expected) => expect(isUiFile(url)).toBe(expected));

test('the pinned release is found and supported', () => {
  const cli = findCli(undefined);
  expect(cli.version).toBe('0.61.0');
  expect(isSupported(cli)).toBe(true);
});

test('a release without the functions gets one sentence that names the supported ones', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'bundle'));
  writeFileSync(
    join(root, 'package.json'),
    '{"name":"@google/gemini-cli","version":"9.9.9","bin":{"gemini":"bundle/gemini.js"}}',
  );
  writeFileSync(
    join(root, 'bundle', 'interactiveCli-X.js'),
    'import { useGeminiStream, useMessageQueue, useSlashCommandProcessor, startInteractiveUI } from "./chunk.js";',
  );
  writeFileSync(join(root, 'bundle', 'gemini.js'), '');
  const bin = join(root, 'gemini');
  symlinkSync(join(root, 'bundle', 'gemini.js'), bin);
  for (const path of [root, bin, join(root, 'bundle', 'gemini.js')]) {
    const cli = findCli(path);
    expect(cli).toMatchObject({ version: '9.9.9', root });
    expect(isSupported(cli)).toBe(false);
  }
  expect(findCli('system', `/nowhere:${root}`).version).toBe('9.9.9');
  expect(unsupportedSentence(findCli(root))).toMatch(/^Gemini CLI 9\.9\.9 cannot be shared: Cosession supports 0\.\d+/);
});

test.each([
  ['/no/such/path', 'there is nothing at /no/such/path'],
  ['/usr', 'does not belong to an installed @google/gemini-cli'],
])('%s: %s', (path, message) => expect(() => findCli(path)).toThrow(message));

test('no gemini on the PATH is said', () =>
  expect(() => findCli('system', '/nowhere')).toThrow('no "gemini" on your PATH'));
