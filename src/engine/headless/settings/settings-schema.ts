import type { AgentSettings, HookDefinition, MCPServerConfig, ModelConfigServiceConfig } from '@google/gemini-cli-core';
import * as z from 'zod';
import { isJsonObject } from './merge-settings.js';

/**
 * The settings of the Gemini CLI that have a meaning without a terminal, under their original names. Any other setting
 * is reported as ignored, so the schema is also the list in the docs.
 */
const names = z.array(z.string());
const object = <T>() => z.custom<T>(isJsonObject, 'expected an object');

const hookEvents = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'Notification',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
] as const;

export const settingsSchema = z.object({
  mcpServers: z.record(z.string(), object<MCPServerConfig>()).optional(),
  mcp: z.object({ serverCommand: z.string(), allowed: names, excluded: names }).partial().optional(),
  policyPaths: names.optional(),
  adminPolicyPaths: names.optional(),
  useWriteTodos: z.boolean().optional(),
  general: z
    .object({
      checkpointing: z.object({ enabled: z.boolean() }).partial(),
      defaultApprovalMode: z.enum(['default', 'auto_edit', 'plan']),
      plan: z.object({ enabled: z.boolean(), directory: z.string(), modelRouting: z.boolean() }).partial(),
      maxAttempts: z.number(),
      retryFetchErrors: z.boolean(),
      topicUpdateNarration: z.boolean(),
    })
    .partial()
    .optional(),
  model: z
    .object({
      name: z.string(),
      maxSessionTurns: z.number(),
      summarizeToolOutput: z.record(z.string(), z.object({ tokenBudget: z.number().optional() })),
      compressionThreshold: z.number(),
      disableLoopDetection: z.boolean(),
      skipNextSpeakerCheck: z.boolean(),
    })
    .partial()
    .optional(),
  modelConfigs: object<ModelConfigServiceConfig>().optional(),
  agents: object<AgentSettings>().optional(),
  context: z
    .object({
      fileName: z.union([z.string(), names]),
      importFormat: z.enum(['tree', 'flat']),
      includeDirectoryTree: z.boolean(),
      discoveryMaxDirs: z.number(),
      memoryBoundaryMarkers: names,
      includeDirectories: names,
      loadMemoryFromIncludeDirectories: z.boolean(),
      fileFiltering: z
        .object({
          respectGitIgnore: z.boolean(),
          respectGeminiIgnore: z.boolean(),
          enableRecursiveFileSearch: z.boolean(),
          enableFuzzySearch: z.boolean(),
          customIgnoreFilePaths: names,
        })
        .partial(),
    })
    .partial()
    .optional(),
  tools: z
    .object({
      core: names,
      allowed: names,
      exclude: names,
      confirmationRequired: names,
      discoveryCommand: z.string(),
      callCommand: z.string(),
      useRipgrep: z.boolean(),
      truncateToolOutputThreshold: z.number(),
      disableLLMCorrection: z.boolean(),
      shell: z.object({ inactivityTimeout: z.number(), enableShellOutputEfficiency: z.boolean() }).partial(),
    })
    .partial()
    .optional(),
  security: z
    .object({
      toolSandboxing: z.boolean(),
      disableYoloMode: z.boolean(),
      disableAlwaysAllow: z.boolean(),
      blockGitExtensions: z.boolean(),
      allowedExtensions: names,
      folderTrust: z.object({ enabled: z.boolean() }).partial(),
      environmentVariableRedaction: z.object({ allowed: names, blocked: names }).partial(),
      auth: z.object({ selectedType: z.string(), enforcedType: z.string() }).partial(),
    })
    .partial()
    .optional(),
  advanced: z.object({ excludedEnvVars: names, ignoreLocalEnv: z.boolean() }).partial().optional(),
  experimental: z
    .object({ enableAgents: z.boolean(), taskTracker: z.boolean(), directWebFetch: z.boolean() })
    .partial()
    .optional(),
  skills: z.object({ enabled: z.boolean(), disabled: names }).partial().optional(),
  hooksConfig: z.object({ enabled: z.boolean(), disabled: names }).partial().optional(),
  hooks: z.partialRecord(z.enum(hookEvents), z.array(object<HookDefinition>())).optional(),
});

export type Settings = Exact<z.infer<typeof settingsSchema>>;

/** The same without `undefined` as a value: JSON has none, and core's types allow none. */
type Exact<T> = T extends readonly unknown[] | ((...args: never[]) => unknown)
  ? T
  : T extends object
    ? { [K in keyof T]: Exact<Exclude<T[K], undefined>> }
    : T;

/** Checks settings that were parsed from JSON. */
export function parseSettings(raw: unknown): z.ZodSafeParseResult<Settings> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Exact
  return settingsSchema.safeParse(raw) as z.ZodSafeParseResult<Settings>;
}
