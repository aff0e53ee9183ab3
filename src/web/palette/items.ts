import type { SlashCommand } from '../../client/client.js';

export type PaletteItem = { readonly name: string; readonly hint: string; readonly run: () => void };

/** More than these do not help to find one. */
const maxItems = 60;

/** Items whose name or hint has every word of the text. */
export function matching(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .filter(({ name, hint }) => wanted.every((word) => `${name} ${hint}`.toLowerCase().includes(word)))
    .slice(0, maxItems);
}

/** The agent's commands that match. What follows a whole command name is its argument: `/memory add buy milk`. */
export function slashItems(
  commands: readonly SlashCommand[],
  text: string,
  run: (path: readonly string[], args: string) => void,
): readonly PaletteItem[] {
  const all = commands.flatMap((command) => leaves(command, []));
  const items = all.map(({ path, hint }) => ({ name: `/${path.join(' ')}`, hint, run: () => run(path, '') }));
  const named = all.flatMap(({ path, hint }) => {
    const name = `/${path.join(' ')}`;
    const args = text.startsWith(`${name} `) ? text.slice(name.length).trim() : '';
    return args === '' ? [] : [{ name: `${name} ${args}`, hint, run: () => run(path, args) }];
  });
  return named.length > 0 ? named : text.startsWith('/') ? matching(items, text) : items;
}

function leaves({ name, description, sub_commands }: SlashCommand, above: readonly string[]): Leaf[] {
  const path = [...above, name];
  if (sub_commands.length === 0) return [{ path, hint: description }];
  return sub_commands.flatMap((command) => leaves(command, path));
}

type Leaf = { readonly path: readonly string[]; readonly hint: string };
