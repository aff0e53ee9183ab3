import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalMode, ConfigParameters, ExtensionLoader, PolicySettings } from '@google/gemini-cli-core';
import type { Core } from '../core/core.js';
import type { LoadedSettings } from './load-settings.js';
import { geminiFolder } from './settings-files.js';
import { secretNames, toolEnv } from './tool-env.js';

export type ConfigSources = {
  readonly loaded: LoadedSettings;
  readonly workspace: string;
  readonly home: string;
  readonly extensionLoader: ExtensionLoader;
};

/** The parameters of core that follow from settings. The code that creates the Config adds session, model and policy. */
export function toConfigParameters({ loaded, workspace, home, extensionLoader }: ConfigSources) {
  const { settings, trusted } = loaded;
  const { general, model, context, tools, mcp, security, skills, hooksConfig, experimental } = settings;
  const redaction = { allowed: [], blocked: [], ...security?.environmentVariableRedaction };
  return defined({
    targetDir: workspace,
    cwd: workspace,
    trustedFolder: trusted,
    // If on, core checks the user's list of folders again. If off, it loads the agents of untrusted folders.
    folderTrust: !trusted,
    env: toolEnv({ ...loaded, ...redaction }),
    // For hooks and MCP servers, which inherit the server's environment.
    enableEnvironmentVariableRedaction: true,
    allowedEnvironmentVariables: redaction.allowed,
    blockedEnvironmentVariables: [...redaction.blocked, ...secretNames(loaded.env, redaction.allowed)],
    toolSandboxing: security?.toolSandboxing,
    disableYoloMode: security?.disableYoloMode,
    disableAlwaysAllow: security?.disableAlwaysAllow,
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },

    extensionLoader,
    mcpServers: settings.mcpServers,
    mcpServerCommand: mcp?.serverCommand,
    allowedMcpServers: mcp?.allowed,
    blockedMcpServers: mcp?.excluded,
    enableHooks: hooksConfig?.enabled ?? true,
    disabledHooks: hooksConfig?.disabled,
    hooks: settings.hooks,
    projectHooks: loaded.workspaceHooks,
    skillsSupport: skills?.enabled ?? true,
    disabledSkills: skills?.disabled,
    agents: settings.agents,
    enableAgents: experimental?.enableAgents,
    tracker: experimental?.taskTracker,
    directWebFetch: experimental?.directWebFetch,

    coreTools: tools?.core,
    allowedTools: tools?.allowed,
    excludeTools: tools?.exclude,
    toolDiscoveryCommand: tools?.discoveryCommand,
    toolCallCommand: tools?.callCommand,
    useRipgrep: tools?.useRipgrep,
    truncateToolOutputThreshold: tools?.truncateToolOutputThreshold,
    disableLLMCorrection: tools?.disableLLMCorrection,
    shellToolInactivityTimeout: tools?.shell?.inactivityTimeout,
    enableShellOutputEfficiency: tools?.shell?.enableShellOutputEfficiency,
    useWriteTodos: settings.useWriteTodos,

    contextFileName: context?.fileName,
    importFormat: context?.importFormat,
    includeDirectoryTree: context?.includeDirectoryTree,
    includeDirectories: context?.includeDirectories?.map((path) => fromHome(path, home)),
    loadMemoryFromIncludeDirectories: context?.loadMemoryFromIncludeDirectories,
    discoveryMaxDirs: context?.discoveryMaxDirs,
    memoryBoundaryMarkers: context?.memoryBoundaryMarkers,
    fileFiltering: context?.fileFiltering,

    checkpointing: general?.checkpointing?.enabled,
    plan: general?.plan?.enabled ?? true,
    planSettings: general?.plan,
    maxAttempts: general?.maxAttempts,
    retryFetchErrors: general?.retryFetchErrors,
    topicUpdateNarration: general?.topicUpdateNarration,
    maxSessionTurns: model?.maxSessionTurns,
    summarizeToolOutput: model?.summarizeToolOutput,
    compressionThreshold: model?.compressionThreshold,
    disableLoopDetection: model?.disableLoopDetection,
    skipNextSpeakerCheck: model?.skipNextSpeakerCheck,
    modelConfigServiceConfig: settings.modelConfigs,
  }) satisfies Partial<ConfigParameters>;
}

/** What the settings and their policy files say about approvals, for core's `createPolicyEngineConfig`. */
export function toPolicySettings({ loaded, workspace, home }: Omit<ConfigSources, 'extensionLoader'>): PolicySettings {
  const { settings, trusted } = loaded;
  const own = join(workspace, geminiFolder, 'policies');
  return defined({
    mcp: settings.mcp,
    tools: settings.tools,
    mcpServers: settings.mcpServers,
    policyPaths: settings.policyPaths?.map((path) => fromHome(path, home)),
    adminPolicyPaths: settings.adminPolicyPaths?.map((path) => fromHome(path, home)),
    workspacePoliciesDir: trusted && existsSync(own) ? own : undefined,
    disableAlwaysAllow: settings.security?.disableAlwaysAllow,
  });
}

/** The mode that a session starts in. In an untrusted folder every tool needs approval. */
export function approvalModeOf(core: Core, { settings, trusted }: LoadedSettings): ApprovalMode {
  const { DEFAULT, AUTO_EDIT, PLAN } = core.ApprovalMode;
  const mode = trusted ? settings.general?.defaultApprovalMode : undefined;
  if (mode === 'auto_edit') return AUTO_EDIT;
  return mode === 'plan' && settings.general?.plan?.enabled !== false ? PLAN : DEFAULT;
}

function fromHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(values: T): Defined<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly what is filtered away is left out of the type
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
