import * as z from 'zod';
import { row, titled } from './lines.js';
import { statsTexts } from './stats-text.js';

type ListedCommand = {
  readonly name: string;
  readonly description?: string;
  readonly subCommands?: readonly ListedCommand[];
};

/** What the terminal shows in such an item besides what the item holds. */
export type ItemContext = {
  /** The commands for `/help`. */
  readonly commands: readonly ListedCommand[];
  /** The CLI's figures of this session, in its own form. */
  readonly stats: unknown;
};

/** The text of a terminal item that has its own component. */
export type ItemText = (item: { readonly type: string }, context: ItemContext) => string | undefined;

/** The text of a result that the CLI draws, such as that of `/tools`. Undefined for other items. */
export const itemText: ItemText = (item, context) =>
  Object.hasOwn(texts, item.type) ? texts[item.type]?.(item, context) : undefined;

/** Reads the item with the schema. An item of another shape, perhaps from a later release, has no text. */
function reading<Schema extends z.ZodType>(
  schema: Schema,
  textOf: (item: z.infer<Schema>, context: ItemContext) => string,
): ItemText {
  return (item, context) => {
    const read = schema.safeParse(item);
    return read.success ? textOf(read.data, context) : undefined;
  };
}

const text = z.string().nullish();
const named = z.object({ name: z.string(), displayName: text, description: text });
const isSet = z.boolean().default(false);
const tokens = z.number().nullish();

const about = z.object({
  cliVersion: text,
  modelVersion: text,
  sandboxEnv: text,
  osVersion: text,
  selectedAuthType: text,
  tier: text,
  gcpProject: text,
  ideClient: text,
});
const tools = z.object({ tools: z.array(named), showDescriptions: isSet });
const skills = z.object({ skills: z.array(named.extend({ disabled: isSet })), showDescriptions: isSet });
const agents = z.object({ agents: z.array(named.extend({ kind: text })) });
const extensions = z.object({
  extensions: z.array(z.object({ name: z.string(), version: text, isActive: z.boolean().default(true) })),
});
const chats = z.object({ chats: z.array(z.object({ name: z.string(), mtime: z.string() })) });
const ofServer = z.object({ serverName: z.string(), name: text, uri: text, description: text });
const mcp = z.object({
  servers: z.record(z.string(), z.unknown()),
  tools: z.array(ofServer),
  prompts: z.array(ofServer).default([]),
  resources: z.array(ofServer).default([]),
  blockedServers: z.array(z.object({ name: z.string() })).default([]),
  connectingServers: z.array(z.string()).default([]),
  enablementState: z.record(z.string(), z.object({ enabled: z.boolean() })).default({}),
  errors: z.record(z.string(), z.string()).default({}),
  showDescriptions: isSet,
});
const compression = z.object({
  compression: z.object({ originalTokenCount: tokens, newTokenCount: tokens, compressionStatus: tokens }),
});
const exported = z.object({ exportSession: z.object({ targetPath: z.string() }) });

const texts: Readonly<Record<string, ItemText>> = {
  ...statsTexts,
  about: reading(about, (item) =>
    titled('About Gemini CLI', [
      row('CLI version', item.cliVersion),
      row('Model', item.modelVersion),
      row('Sandbox', item.sandboxEnv),
      row('OS', item.osVersion),
      row('Login', item.selectedAuthType),
      row('Tier', item.tier),
      row('GCP project', item.gcpProject),
      row('IDE', item.ideClient),
    ]),
  ),
  help: (_item, { commands }) => titled('Commands', commands.flatMap(commandLines)),
  tools_list: reading(tools, (item) =>
    titled(
      'Available Gemini CLI tools',
      item.tools.map((tool) => bullet(tool, item.showDescriptions)),
    ),
  ),
  skills_list: reading(skills, ({ skills: all, showDescriptions }) =>
    titled(
      'Available agent skills',
      all.map((skill) => bullet(skill, showDescriptions, skill.disabled && 'disabled')),
    ),
  ),
  agents_list: reading(agents, (item) =>
    titled(
      'Agents',
      item.agents.map((agent) => bullet(agent, true, agent.kind ?? false)),
    ),
  ),
  extensions_list: reading(extensions, (item) =>
    titled(
      'Extensions',
      item.extensions.map(({ name, version, isActive }) =>
        bullet({ name }, false, `${version ?? ''}${isActive ? '' : ', disabled'}`),
      ),
    ),
  ),
  chat_list: reading(chats, (item) =>
    titled(
      'Saved conversation checkpoints',
      item.chats.map(({ name, mtime }) => bullet({ name }, false, mtime)),
    ),
  ),
  mcp_status: reading(mcp, (item) =>
    titled('MCP servers', [
      ...Object.keys(item.servers).flatMap((name) => serverLines(name, item)),
      ...item.blockedServers.map((server) => bullet(server, false, 'blocked')),
    ]),
  ),
  compression: reading(compression, (item) => compressionText(item.compression)),
  export_session: reading(exported, (item) => `The session was exported to ${item.exportSession.targetPath}`),
};

type Named = {
  readonly name: string;
  readonly displayName?: string | null | undefined;
  readonly description?: string | null | undefined;
};

function bullet({ name, displayName, description }: Named, isDescribed: boolean, note: string | false = false): string {
  const title = displayName && displayName !== name ? `${displayName} (${name})` : name;
  const more = note === false || note === '' ? '' : ` [${note}]`;
  const described = isDescribed && description ? `: ${description.trim().replaceAll('\n', '\n    ')}` : '';
  return `- ${title}${more}${described}`;
}

function commandLines({ name, description, subCommands = [] }: ListedCommand): string[] {
  return [
    `/${name}: ${description ?? ''}`,
    ...subCommands.map((sub) => `  /${name} ${sub.name}: ${sub.description ?? ''}`),
  ];
}

function serverLines(name: string, item: z.infer<typeof mcp>): string[] {
  if (item.blockedServers.some((server) => server.name === name)) return [];
  const of = (all: readonly z.infer<typeof ofServer>[]) => all.filter(({ serverName }) => serverName === name);
  const groups = [
    ['tool', of(item.tools)] as const,
    ['prompt', of(item.prompts)] as const,
    ['resource', of(item.resources)] as const,
  ];
  const has = groups.filter(([, found]) => found.length > 0);
  const state =
    item.enablementState[name]?.enabled === false
      ? 'disabled'
      : item.connectingServers.includes(name)
        ? 'starting'
        : has.length > 0
          ? 'ready'
          : 'disconnected';
  const counts = has.map(([kind, found]) => `${found.length} ${kind}${found.length === 1 ? '' : 's'}`);
  const error = item.errors[name];
  return [
    `- ${name} [${[state, ...counts].join(', ')}]`,
    ...(error === undefined ? [] : [`    ${error}`]),
    ...has.flatMap(([, found]) =>
      found.map(
        (each) =>
          `  ${bullet({ name: each.name ?? each.uri ?? '', description: each.description }, item.showDescriptions)}`,
      ),
    ),
  ];
}

/** By core's number of the outcome. */
function compressionText({
  originalTokenCount,
  newTokenCount,
  compressionStatus,
}: z.infer<typeof compression>['compression']): string {
  if (compressionStatus === 1) return `Chat history compressed from ${originalTokenCount} to ${newTokenCount} tokens.`;
  if (compressionStatus === 5) return 'Nothing to compress.';
  return 'The chat history was not compressed: that would not have made it smaller, or it failed.';
}
