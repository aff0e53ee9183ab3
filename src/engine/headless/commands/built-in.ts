import type { Action, Argument, HeadlessCommand } from './command.js';
import { compress } from './compress.js';
import { listInstalledExtensions } from './extensions.js';
import { init } from './init.js';
import { listServers, refreshServers } from './mcp.js';
import { addMemory, listMemory, refreshMemory, showMemory } from './memory.js';
import { model } from './model.js';
import { restore } from './restore.js';
import { stats } from './stats.js';
import { tools } from './tools.js';

export const builtInCommands: readonly HeadlessCommand[] = [
  command('list-extensions', 'Lists the installed extensions', listInstalledExtensions),
  group('extensions', 'Extensions of the agent', [
    command('list', 'Lists the installed extensions', listInstalledExtensions),
  ]),
  group('memory', 'What the agent always knows', [
    command('show', 'Shows the memory', showMemory),
    command('refresh', 'Reads the memory files again', refreshMemory),
    command('list', 'Lists the memory files', listMemory),
    command('add', "Adds a fact to this workspace's memory", addMemory, [rest('text', 'the fact', true)]),
  ]),
  command('init', 'Lets the agent describe the workspace in a GEMINI.md', init),
  command(
    'restore',
    'Takes the workspace back to before a tool call; without a name lists what can be restored',
    restore,
    [rest('checkpoint', 'a name from the list', false)],
  ),
  command('compress', 'Replaces the conversation by a summary', compress),
  command('model', 'Shows or sets the model', model, [
    { name: 'name', description: 'the model to use from now on', isRequired: false },
  ]),
  command('tools', 'Lists the tools of the agent', tools),
  {
    ...command('mcp', 'Lists the MCP servers with their tools', listServers),
    subCommands: [command('refresh', 'Starts the MCP servers again', refreshServers)],
  },
  command('stats', 'Shows the tokens used so far', stats),
];

/** Names that custom commands cannot use. The registry adds `help`. */
export const reservedNames: readonly string[] = ['help', ...builtInCommands.map(({ name }) => name)];

function command(
  name: string,
  description: string,
  action: Action,
  expected: readonly Argument[] = [],
): HeadlessCommand {
  return { name, description, arguments: expected, subCommands: [], action };
}

function group(name: string, description: string, subCommands: readonly HeadlessCommand[]): HeadlessCommand {
  return { name, description, arguments: [], subCommands };
}

function rest(name: string, description: string, isRequired: boolean): Argument {
  return { name, description, isRequired, takesRest: true };
}
