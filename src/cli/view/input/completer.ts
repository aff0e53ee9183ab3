import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { SlashCommand } from '../../../client/transport/replies.js';

export type CompleterOptions = {
  readonly commands: () => Promise<readonly SlashCommand[]>;
  /** Where the session works, if that is on this machine. */
  readonly folder?: string;
};

export type Completion = readonly [hits: string[], typed: string];

/** The commands of the view itself. */
const ownCommands = ['/cancel'];
const maxHits = 100;

/** Completes slash commands at the beginning of a line, and the names of files after `@`. */
export async function complete(line: string, { commands, folder }: CompleterOptions): Promise<Completion> {
  if (/^\/\S*(?:\s+\S*)?$/.test(line)) return [commandsLike(line, await commands()), line];
  const [typed] = /@\S*$/.exec(line) ?? [];
  if (typed === undefined || folder === undefined) return [[], line];
  return [await filesLike(typed.slice(1), folder), typed];
}

function commandsLike(line: string, commands: readonly SlashCommand[]): string[] {
  const [name = '', sub] = line.split(/\s+/);
  if (sub === undefined)
    return [...ownCommands, ...commands.map((command) => `/${command.name}`)]
      .filter((each) => each.startsWith(name))
      .map((each) => `${each} `);
  const subs = commands.find((command) => `/${command.name}` === name)?.sub_commands ?? [];
  return subs.filter((each) => each.name.startsWith(sub)).map((each) => `${name} ${each.name} `);
}

async function filesLike(path: string, folder: string): Promise<string[]> {
  const inside = path.endsWith(sep) ? path : dirname(path);
  const prefix = inside === '.' ? '' : `${inside.replace(/\/$/, '')}/`;
  const begun = path.slice(prefix.length);
  const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .slice(0, maxHits)
    .map((entry) => `@${prefix}${entry.name}${entry.isDirectory() ? '/' : ' '}`);
}
