// Writes the type declarations of cosession/client. Each file is transpiled on its own; npm run check does the type checking.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import ts from 'typescript';

/** Writes `client.d.ts` to the folder, and the files that its types refer to into `types/` below it. */
export async function writeClientTypes(folder) {
  const { inferred, wireTypes } = await tsImport('./wire-types.ts', import.meta.url);
  const files = new Set(['client/client']);
  for (const file of files) {
    const source = `src/${file}.ts`;
    const declaration = source === inferred ? await wireTypes() : declare(source);
    const target = join(folder, 'types', `${file}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, declaration);
    for (const [, path] of declaration.matchAll(/from '(\.[^']+)\.js'/g))
      files.add(normalize(join(dirname(file), path)));
  }
  if (![...files].some((file) => `src/${file}.ts` === inferred))
    throw new Error(`the client has no types of ${inferred}`);
  writeFileSync(join(folder, 'client.d.ts'), "export * from './types/client/client.js';\n");
}

function declare(fileName) {
  const source = readFileSync(fileName, 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, { fileName, reportDiagnostics: true });
  const [problem] = diagnostics;
  if (problem) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  return outputText;
}
