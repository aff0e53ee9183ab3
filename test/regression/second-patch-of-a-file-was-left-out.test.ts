import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Patches = { readonly corePatches: readonly { readonly file: RegExp; readonly changes: readonly unknown[] }[] };

/** The bundler asks who loads a file, and takes the first answer. */
test('every file of core that is patched is patched once, with all of its changes', async () => {
  const { corePatches } = (await import(pathToFileURL(resolve('scripts/core-patches.js')).href)) as Patches;
  const files = corePatches.map(({ file }) => file.source);
  expect(files).toEqual([...new Set(files)]);
  const client = corePatches.find(({ file }) => file.test('@google/genai/dist/node/index.mjs'));
  expect(JSON.stringify(client?.changes)).toMatch(/sendForStream.*bytesOfRequest/);
});
