import { realpathSync } from 'node:fs';
import { checkSettings, unknownSettings } from './check-settings.js';
import { readDotEnv } from './dot-env.js';
import { expandVariables, type Environment } from './expand-variables.js';
import { isEmpty, isJsonObject, mergeSettings, type JsonObject } from './merge-settings.js';
import { distrustOf, readSettingsFile, settingsPaths } from './settings-files.js';
import type { Settings } from './settings-schema.js';

export type LoadedSettings = {
  readonly settings: Settings;
  /** Whether the workspace may bring its own settings, commands, hooks, memory and MCP servers. */
  readonly trusted: boolean;
  /** The `hooks` of the workspace's own file. They are also part of `settings.hooks`. */
  readonly workspaceHooks: Settings['hooks'];
  /** The environment as the Gemini CLI would see it: the real variables override `.env`. */
  readonly env: Readonly<Record<string, string>>;
  /** The part of `env` that comes from a `.env` file. */
  readonly dotEnv: Readonly<Record<string, string>>;
  /** Dotted paths of settings that have no meaning for the server. */
  readonly ignored: readonly string[];
  /** Sentences about values and files that were left out. */
  readonly problems: readonly string[];
};

export type LoadOptions = {
  readonly workspace: string;
  /** The folder that contains `.gemini`: GEMINI_CLI_HOME or the user's home. */
  readonly home: string;
  readonly env: Environment;
  readonly platform: string;
  /** Decides trust by the operator's `security.folderTrust.enabled`. The workspace has no say in it. */
  readonly isTrusted: (folderTrustEnabled: boolean) => boolean;
  /** Why a file that applies to all users of the machine cannot be trusted. */
  readonly distrustOf?: (path: string) => string | undefined;
};

/**
 * Settings merged as in the Gemini CLI: system defaults, then the user's, the workspace's if trusted, and finally the
 * system's overrides. The process environment is not changed, because many workspaces share it.
 */
export function loadSettings(options: LoadOptions): LoadedSettings {
  const { workspace, home } = options;
  const paths = settingsPaths(home, workspace, options.env, options.platform);
  const distrust = [paths.defaults, paths.system].map((path) => (options.distrustOf ?? distrustOf)(path));
  const operator = [
    { path: paths.defaults, raw: distrust[0] === undefined ? readSettingsFile(paths.defaults) : {} },
    { path: paths.user, raw: readSettingsFile(paths.user) },
  ];
  const system = { path: paths.system, raw: distrust[1] === undefined ? readSettingsFile(paths.system) : {} };
  const believed = checkSettings(mergeSettings(...[...operator, system].map(({ raw }) => raw))).settings;
  const trusted = options.isTrusted(believed.security?.folderTrust?.enabled ?? true);

  const own = trusted && !isHome(workspace, home) ? splitOff(readSettingsFile(paths.workspace)) : { rest: {}, set: [] };
  const files = [...operator, { path: paths.workspace, raw: own.rest }, system];
  const advanced = checkSettings(mergeSettings(...files.map(({ raw }) => raw))).settings.advanced;
  const dotEnv = readDotEnv({
    workspace,
    home,
    trusted,
    excluded: advanced?.excludedEnvVars ?? [],
    ignoreLocal: advanced?.ignoreLocalEnv ?? false,
  });
  const env = { ...dotEnv, ...withoutUndefined(options.env) };

  const expanded = files.map(({ path, raw }) => ({ path, raw: expandFile(raw, env) }));
  const checked = expanded.map(({ path, raw }) => ({ path, ...checkSettings(raw) }));
  const { settings } = checkSettings(mergeSettings(...checked.map((file) => file.settings)));
  return {
    settings: {
      ...settings,
      ...mcpLists(
        checked.map((file) => file.settings),
        settings,
      ),
    },
    trusted,
    workspaceHooks: checked[2]?.settings.hooks,
    env,
    dotEnv,
    ignored: [...new Set([...expanded.flatMap(({ raw }) => unknownSettings(raw)), ...own.set])].toSorted(),
    problems: [
      ...distrust.filter((sentence) => sentence !== undefined),
      ...checked.flatMap(({ path, problems }) => problems.map((problem) => `${path}: ${problem}`)),
      ...sandboxProblem(mergeSettings(...files.map(({ raw }) => raw))),
    ],
  };
}

function isHome(workspace: string, home: string): boolean {
  return realpathSync(workspace) === realpathSync(home);
}

/** Core keeps the name of context files once per process, so one workspace may not choose it for all. */
function splitOff(raw: JsonObject): { rest: JsonObject; set: string[] } {
  const context = raw['context'];
  if (!isJsonObject(context) || !('fileName' in context)) return { rest: raw, set: [] };
  const { fileName: _fileName, ...others } = context;
  return { rest: { ...raw, context: others }, set: ['context.fileName'] };
}

/**
 * Settings never see the server's own secrets, which a workspace could send to its MCP server. A second pass empties
 * them, because a `.env` file can also contain their names and core expands what is left once more.
 */
function expandFile(raw: JsonObject, env: Environment): JsonObject {
  if (isEmpty(raw)) return raw;
  const isOurs = ([name]: [string, unknown]): boolean => name.startsWith('COSESSION_');
  const visible = Object.fromEntries(Object.entries(env).filter((entry) => !isOurs(entry)));
  const hidden = Object.fromEntries(
    Object.entries(env)
      .filter(isOurs)
      .map(([name]) => [name, '']),
  );
  const expanded = expandVariables(expandVariables(raw, visible), hidden);
  return isJsonObject(expanded) ? expanded : {};
}

/** Any file can forbid an MCP server. A server must be allowed by every file that has a list. */
function mcpLists(files: readonly Settings[], settings: Settings): Pick<Settings, 'mcp'> {
  const excluded = [...new Set(files.flatMap((file) => file.mcp?.excluded ?? []))];
  const lists = files.flatMap((file) => (file.mcp?.allowed ? [file.mcp.allowed] : []));
  const allowed = lists.slice(1).reduce<string[] | undefined>((some, list) => {
    const names = new Set(list.map(normal));
    return some?.filter((name) => names.has(normal(name)));
  }, lists[0]);
  if (!settings.mcp) return {};
  return { mcp: { ...settings.mcp, excluded, ...(allowed ? { allowed } : {}) } };
}

function normal(name: string): string {
  return name.trim().toLowerCase();
}

/** The CLI's sandbox is a container around the CLI itself. Anyone who asked for it must know that there is none. */
function sandboxProblem(merged: JsonObject): string[] {
  const tools = merged['tools'];
  if (!isJsonObject(tools) || !tools['sandbox']) return [];
  return ['tools.sandbox is set, but the server runs tools without it: run the server itself in a container'];
}

function withoutUndefined(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
