import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { declares, isUiFile, tappedNames } from './patch.js';

export type GeminiCli = { readonly version: string; readonly entry: string; readonly root: string };

/** Releases that pass `npm run compat`, except 0.44.0, which crashes by itself; see docs/compatibility.md. */
const supportedReleases = '0.35.0 to 0.61.0';

/** Finds the Gemini CLI: the pinned one, the one on PATH (`system`), or the one at a path. Throws one clear sentence. */
export function findCli(wanted: string | undefined, path = ''): GeminiCli {
  if (wanted === undefined)
    return describe(dirname(createRequire(import.meta.url).resolve('@google/gemini-cli/package.json')));
  const start = wanted === 'system' ? onPath(path) : wanted;
  if (start === undefined)
    throw new Error('there is no "gemini" on your PATH; leave out --gemini-cli to use the one included with Cosession');
  if (!existsSync(start)) throw new Error(`--gemini-cli: there is nothing at ${start}`);
  const root = packageRoot(realpathSync(start));
  if (root === undefined)
    throw new Error(`--gemini-cli: ${start} does not belong to an installed @google/gemini-cli package`);
  return describe(root);
}

/** Whether the release has the functions that we tap. Reads a few megabytes, so it is only for releases we did not pin. */
export function isSupported({ root }: GeminiCli): boolean {
  const sources = uiFiles(root).map((file) => readFileSync(file, 'utf8'));
  return tappedNames.every((name) => sources.some((source) => declares(source, name)));
}

export function unsupportedSentence({ version }: GeminiCli): string {
  return `Gemini CLI ${version} cannot be shared: Cosession supports ${supportedReleases}. Leave out --gemini-cli to use the release it was tested with.`;
}

function uiFiles(root: string): string[] {
  return ['bundle', 'dist/src', 'dist/src/ui/hooks', 'dist/src/ui/auth']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => isUiFile(file));
}

function onPath(path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'gemini'))
    .find((file) => existsSync(file));
}

function packageRoot(start: string): string | undefined {
  let folder = statSync(start).isDirectory() ? start : dirname(start);
  for (;;) {
    if (readPackage(folder)?.name === '@google/gemini-cli') return folder;
    const installed = join(folder, 'node_modules', '@google', 'gemini-cli');
    if (readPackage(installed)?.name === '@google/gemini-cli') return installed;
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
}

function describe(root: string): GeminiCli {
  const { version = 'unknown', bin } = readPackage(root) ?? {};
  return { version, root, entry: join(root, bin?.gemini ?? 'bundle/gemini.js') };
}

type PackageJson = { name?: string; version?: string; bin?: { gemini?: string } };

function readPackage(folder: string): PackageJson | undefined {
  const file = join(folder, 'package.json');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every package.json has this form
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageJson) : undefined;
}
