import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'dotenv';
import { geminiFolder } from './settings-files.js';

export type DotEnvOptions = {
  readonly workspace: string;
  readonly home: string;
  readonly trusted: boolean;
  /** `advanced.excludedEnvVars`: names that a project's file cannot set. */
  readonly excluded: readonly string[];
  /** `advanced.ignoreLocalEnv`: only files in `.gemini` and in the home folder are read. */
  readonly ignoreLocal: boolean;
};

/** The variables of the one `.env` file that is used, by the rules of the Gemini CLI. */
export function readDotEnv(options: DotEnvOptions): Readonly<Record<string, string>> {
  const file = findDotEnv(options);
  if (file === undefined) return {};
  const isProjectFile = !file.includes(geminiFolder);
  const entries = Object.entries(parse(readFileSync(file, 'utf8')))
    .filter(([name]) => options.trusted || loginVariables.has(name))
    .filter(([name]) => !(isProjectFile && [...neverFromProject, ...options.excluded].includes(name)))
    .map(([name, value]) => [name, options.trusted ? value : harmless(value)] as const);
  return Object.fromEntries(entries);
}

/** The only variables that an untrusted folder may set. */
const loginVariables = new Set(['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION']);

const neverFromProject = [
  'DEBUG',
  'DEBUG_MODE',
  'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
];

/** The nearest file upwards from the workspace, `.gemini/.env` before `.env`; after that the home folder. */
function findDotEnv({ workspace, home, trusted, ignoreLocal }: DotEnvOptions): string | undefined {
  const inFolder = (folder: string): (string | undefined)[] => [
    trusted ? join(folder, geminiFolder, '.env') : undefined,
    !ignoreLocal || folder === home ? join(folder, '.env') : undefined,
  ];
  return [...upwards(resolve(workspace)), resolve(home)]
    .flatMap(inFolder)
    .find((file) => file !== undefined && existsSync(file));
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function harmless(value: string): string {
  return value.replaceAll(/[^a-zA-Z0-9\-_./]/g, '');
}
