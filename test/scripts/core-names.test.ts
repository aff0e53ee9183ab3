import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const core = join(dirname(createRequire(import.meta.url).resolve('@google/gemini-cli-core')), 'src');

function texts(folder: string, recursive: boolean): string[] {
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => /\.c?js$/.test(name) && !/\.test\.js$|^test-utils/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

test('every tool has the class name in our bundle of core that settings know it by, but for a leading underscore', () => {
  const tool = / extends Base(?:Declarative)?Tool\b/;
  const nameBefore = (text: string): string => {
    const [, own, inferred] = /(?:class (\w+)|(\w+)=class)$/.exec(text.slice(-100)) ?? [];
    return own ?? inferred ?? '';
  };
  const namesIn = (sources: readonly string[]): string[] =>
    sources.flatMap((text) => text.split(tool).slice(0, -1).map(nameBefore));
  const written = [...new Set(namesIn(texts(core, true)))].toSorted();
  const bundled = new Set(namesIn(texts('dist/core', false)).map((name) => name.replace(/^_/, '')));
  expect(written).toContain('ShellTool');
  expect(written.filter((name) => !bundled.has(name))).toEqual([]);
});
