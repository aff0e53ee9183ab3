import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../../domain/errors.js';
import type { Environment } from './expand-variables.js';
import { parseJsonWithComments } from './json-with-comments.js';
import { isJsonObject, type JsonObject } from './merge-settings.js';

/** The folder, in the home folder or the workspace, where the Gemini CLI keeps everything of a user or a workspace. */
export const geminiFolder = '.gemini';

export type SettingsPaths = Readonly<Record<'defaults' | 'user' | 'workspace' | 'system', string>>;

export function settingsPaths(home: string, workspace: string, env: Environment, platform: string): SettingsPaths {
  const system = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? systemSettings(platform);
  return {
    defaults: env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] ?? join(dirname(system), 'system-defaults.json'),
    user: join(home, geminiFolder, 'settings.json'),
    workspace: join(workspace, geminiFolder, 'settings.json'),
    system,
  };
}

/**
 * Reads a settings file; empty if there is none. An unreadable file is an error, because it may contain the rule that
 * forbids what would happen without it.
 */
export function readSettingsFile(path: string): JsonObject {
  if (!existsSync(path)) return {};
  try {
    const parsed = parseJsonWithComments(readFileSync(path, 'utf8'));
    if (isJsonObject(parsed)) return parsed;
  } catch (cause) {
    throw new AppError('bad-settings', `${path} cannot be read: ${String(cause)}`, { cause });
  }
  throw new AppError('bad-settings', `${path} is not a JSON object`);
}

/** Why a file that applies to every user of the machine is not trusted: somebody other than root could have written it. */
export function distrustOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const real = realpathSync(path);
  const writers = [path, real, dirname(real)].filter((file) => {
    const { uid, mode } = file === path && lstatSync(path).isSymbolicLink() ? lstatSync(path) : statSync(file);
    return uid !== 0 || (!lstatSync(file).isSymbolicLink() && (mode & groupOrOthersWrite) !== 0);
  });
  return writers.length > 0 ? `${path} is not read: somebody but root may write ${writers[0]}` : undefined;
}

const groupOrOthersWrite = 0o022;

function systemSettings(platform: string): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/GeminiCli/settings.json';
    case 'win32':
      return String.raw`C:\ProgramData\gemini-cli\settings.json`;
    default:
      return '/etc/gemini-cli/settings.json';
  }
}
