// Type declarations of cosession/client. Each file is translated alone, without a check: npm run check does that.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import ts from 'typescript';

/** Inferred with zod, which whoever uses the client does not have: written out instead. */
const inferred = 'protocols/endpoint/events';

/** Writes `client.d.ts` into the folder, and the files that its types mention into `types/` below it. */
export async function writeClientTypes(folder) {
  const { wireTypes } = await tsImport('./wire-types.ts', import.meta.url);
  const files = new Set(['client/client']);
  for (const file of files) {
    const declaration = file === inferred ? await wireTypes() : declare(`src/${file}.ts`);
    const target = join(folder, 'types', `${file}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, declaration);
    for (const [, path] of declaration.matchAll(/from '(\.[^']+)\.js'/g))
      files.add(normalize(join(dirname(file), path)));
  }
  writeFileSync(join(folder, 'client.d.ts'), "export * from './types/client/client.js';\n");
}

function declare(fileName) {
  const source = readFileSync(fileName, 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, { fileName, reportDiagnostics: true });
  const [problem] = diagnostics;
  if (problem) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  return outputText;
}
