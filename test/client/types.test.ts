import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')).config,
  ts.sys,
  '.',
);

/** What the compiler says of a file of this folder, and which files it read for it. */
function compiled(source: string, more: ts.CompilerOptions = {}): { problems: string[]; files: string[] } {
  const name = join(import.meta.dirname, 'as-a-user.ts');
  const host = ts.createCompilerHost({ ...options, ...more });
  const program = ts.createProgram(
    [name],
    { ...options, ...more },
    {
      ...host,
      fileExists: (file) => file === name || host.fileExists(file),
      getSourceFile: (file, language) =>
        file === name ? ts.createSourceFile(file, source, language) : host.getSourceFile(file, language),
    },
  );
  return {
    problems: ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    files: program.getSourceFiles().map(({ fileName }) => fileName),
  };
}

test('the published types need no other package, and are correct', () => {
  const program =
    "import { connect, type WireEvent } from '../../dist/client.js';\nexport const it: WireEvent | typeof connect = connect;\n";
  const { problems, files } = compiled(program, {
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    skipLibCheck: false,
  });
  expect(problems).toEqual([]);
  expect(
    files.filter((file) => file.includes('node_modules') && !file.includes('node_modules/typescript/lib/')),
  ).toEqual([]);
});

test('the published types of events are those that the schemas have', () => {
  const names = ['WireEvent', 'WireToolCall', 'OpenQuestion', 'ConfirmationRequest', 'WireToolOutput'];
  const lines = names.flatMap((name) => [
    `export const own${name} = (it: published.${name}): own.${name} => it;`,
    `export const published${name} = (it: own.${name}): published.${name} => it;`,
  ]);
  const imports = [
    "import type * as own from '../../src/client/client.js';",
    "import type * as published from '../../dist/client.js';",
  ];
  expect(compiled([...imports, ...lines].join('\n')).problems).toEqual([]);
});

test('the library carries no zod', () => {
  expect(readFileSync('dist/client.js', 'utf8')).not.toMatch(/zod/i);
});
