import type { Command } from '../../domain/command.js';
import type { AgentUpdate } from './agent/agent-messages.js';

type Listed = Extract<AgentUpdate, { sessionUpdate: 'available_commands_update' }>['availableCommands'];

/** Turns the agent's flat list into a tree: `memory show` is the command `show` below `memory`. */
export function toCommands(listed: Listed): readonly Command[] {
  return gather(listed.map((command) => ({ ...command, path: command.name.replace(/^\//, '').split(' ') })));
}

type Placed = Listed[number] & { readonly path: readonly string[] };

function gather(placed: readonly Placed[]): readonly Command[] {
  const names = [...new Set(placed.map(({ path }) => path[0] ?? ''))];
  return names.map((name) => {
    const below = placed.filter(({ path }) => path[0] === name);
    const own = below.find(({ path }) => path.length === 1);
    const inner = below.filter(({ path }) => path.length > 1).map((each) => ({ ...each, path: each.path.slice(1) }));
    const hint = own?.input?.hint;
    return {
      name,
      description: own?.description ?? '',
      arguments: hint ? [{ name: 'input', description: hint, isRequired: false }] : [],
      subCommands: gather(inner),
    };
  });
}
