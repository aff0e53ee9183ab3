import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { sanitize } from '../../../util/text/sanitize.js';
import type { Extension } from '../settings/extensions.js';
import { geminiFolder } from '../settings/settings-files.js';
import { reservedNames } from './built-in.js';
import type { HeadlessCommand } from './command.js';
import { customAction } from './custom-action.js';
import { parseTemplate } from './prompt-template.js';

export type CustomCommandOptions = {
  readonly home: string;
  readonly workspace: string;
  /** The commands of the workspace and of extensions need a trusted workspace. */
  readonly trusted: boolean;
  readonly extensions: readonly Extension[];
};

export type CustomCommands = { readonly commands: readonly HeadlessCommand[]; readonly problems: readonly string[] };

type Source = { readonly folder: string; readonly prefix: string; readonly extension?: string };
type Found = { readonly name: string; readonly prefix: string; readonly file: string; readonly extension?: string };

/** The TOML commands of the user, the workspace and extensions. An unreadable file is reported as a problem and skipped. */
export function readCustomCommands(options: CustomCommandOptions): CustomCommands {
  const found = sources(options).flatMap(commandsIn);
  const commands: HeadlessCommand[] = [];
  const problems: string[] = [];
  for (const item of found) {
    try {
      commands.push(readCommand(item, freeName(item, found, [...reservedNames, ...commands.map(({ name }) => name)])));
    } catch (thrown) {
      problems.push(`${item.file} is no command: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return { commands, problems };
}

function sources({ home, workspace, trusted, extensions }: CustomCommandOptions): Source[] {
  const user = { folder: join(home, geminiFolder, 'commands'), prefix: 'user.' };
  if (!trusted) return [user];
  const own = { folder: join(workspace, geminiFolder, 'commands'), prefix: 'workspace.' };
  const active = extensions.filter(({ isActive }) => isActive);
  return [
    user,
    ...(realpathSync(workspace) === realpathSync(home) ? [] : [own]),
    ...active.map(({ name, path }) => ({ folder: join(path, 'commands'), prefix: `${name}:`, extension: name })),
  ];
}

/** `git/commit.toml` is the command `git:commit`. */
function commandsIn({ folder, ...source }: Source): Found[] {
  return tomlFiles(folder, new Set()).map((file) => {
    const parts = relative(folder, file).slice(0, -'.toml'.length).split(sep);
    return { ...source, file, name: parts.map((part) => part.replaceAll(/[^\w\-.]/g, '_').slice(0, 50)).join(':') };
  });
}

/** Links are followed as in the Gemini CLI, each folder once. */
function tomlFiles(folder: string, seen: Set<string>): string[] {
  if (!existsSync(folder) || seen.has(realpathSync(folder))) return [];
  seen.add(realpathSync(folder));
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .flatMap((path) => {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return tomlFiles(path, seen);
      return path.endsWith('.toml') ? [path] : [];
    });
}

/** If two commands want the same name, each gets a prefix for its source. A built-in command always keeps its name. */
function freeName({ name, prefix }: Found, all: readonly Found[], taken: readonly string[]): string {
  const isShared = all.filter((other) => other.name === name).length > 1;
  const wanted = isShared || taken.includes(name) ? `${prefix}${name}` : name;
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? wanted : `${wanted}${count}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

const commandFile = z.object({ prompt: z.string(), description: z.string().optional() });

function readCommand({ file, extension }: Found, name: string): HeadlessCommand {
  const { prompt, description } = commandFile.parse(parseToml(readFileSync(file, 'utf8')));
  const origin = extension === undefined ? '' : `[${extension}] `;
  const about = sanitize(description ?? '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 100);
  return {
    name,
    description: `${origin}${about === '' ? `Custom command from ${basename(file)}` : about}`,
    arguments: [{ name: 'args', description: 'what the command is about', isRequired: false, takesRest: true }],
    subCommands: [],
    action: customAction(name, parseTemplate(prompt)),
  };
}
