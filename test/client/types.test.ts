import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')).config,
  ts.sys,
  '.',
);

const user = join(import.meta.dirname, 'as-a-user.ts');

/** A program of somebody who uses the client, in this folder. */
function programOf(source: string, more: ts.CompilerOptions = {}): ts.Program {
  const host = ts.createCompilerHost({ ...options, ...more });
  return ts.createProgram(
    [user],
    { ...options, ...more },
    {
      ...host,
      fileExists: (file) => file === user || host.fileExists(file),
      getSourceFile: (file, language) =>
        file === user ? ts.createSourceFile(file, source, language) : host.getSourceFile(file, language),
    },
  );
}

/** What the compiler says of these files of it. The rest is read for their types, and not checked itself. */
function problemsIn(program: ts.Program, files: readonly ts.SourceFile[]): string[] {
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...files.flatMap((file) => ts.getPreEmitDiagnostics(program, file)),
    ...program.getGlobalDiagnostics(),
  ];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('the published types need no other package, and are correct', () => {
  const source =
    "import { connect, type WireEvent } from '../../dist/client.js';\nexport const it: WireEvent | typeof connect = connect;\n";
  const lib = ['lib.es2023.d.ts', 'lib.dom.d.ts'];
  const program = programOf(source, { types: [], lib, skipLibCheck: false });
  const files = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('node_modules/typescript/lib/'));
  expect(files.map(({ fileName }) => fileName).filter((name) => name.includes('node_modules'))).toEqual([]);
  expect(files.length).toBeGreaterThan(2);
  expect(problemsIn(program, files)).toEqual([]);
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
  const program = programOf([...imports, ...lines].join('\n'));
  // The lint checks our sources.
  const files = program.getSourceFiles().filter(({ fileName }) => fileName === user);
  expect(files).toHaveLength(1);
  expect(problemsIn(program, files)).toEqual([]);
});

test('the library carries no zod', () => {
  expect(readFileSync('dist/client.js', 'utf8')).not.toMatch(/zod/i);
});
