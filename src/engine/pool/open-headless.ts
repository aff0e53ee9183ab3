import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { Budget, type BudgetLimits } from '../headless/budget.js';
import { readPlan } from '../gemini/read-plan.js';
import type { Checkpoint } from '../headless/checkpoint.js';
import { withClientServers } from '../headless/client-servers.js';
import { sessionCommands } from '../headless/commands/session-commands.js';
import { type Core, loadCore } from '../headless/core/core.js';
import { HeadlessEngine } from '../headless/headless-engine.js';
import type { HeadlessCommands, OpenedCore } from '../headless/headless-options.js';
import { type ModelCredentials, openConfig } from '../headless/core/open-config.js';
import { scratchFolder } from '../headless/core/scratch.js';
import { loadSettings } from '../headless/settings/load-settings.js';
import { modelIn, type SessionSettings, sessionSettings } from '../headless/settings/session-settings.js';
import type { TrustRule } from '../headless/settings/trust.js';
import type { EngineRequest, TaskEngine, TaskTools, ToolInfo } from '../task-engine.js';
import { defined } from '../../util/defined.js';

export type HeadlessSetup = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trust: TrustRule;
  readonly budget: BudgetLimits;
  readonly mayAutoExecute: boolean;
  /** Contains a folder for each task, for the files that core writes. */
  readonly scratch: string;
  readonly version: string;
  /** Called when a settings file of the workspace or the user is invalid. */
  readonly onProblem: (workspace: string, problem: string) => void;
  readonly onError: (error: unknown) => void;
};

const defaultModel = 'gemini-2.5-pro';

/** The workspace's own commands are unknown until core is open, so a command is refused only when it runs. */
const beforeOpening: HeadlessCommands = {
  ...sessionCommands({ customCommands: [], extensions: [] }),
  refusal: () => undefined,
};

/** Opens an engine on gemini-cli-core in this process, for one task. */
export function openHeadless(options: HeadlessSetup, request: EngineRequest): TaskEngine {
  const { budget, mayAutoExecute, onError } = options;
  const { workspace, checkpoint, save } = request;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `save` below wrote
  const earlier = checkpoint as unknown as Checkpoint | undefined;
  prepareProcess(options);
  let commands = (): HeadlessCommands => beforeOpening;
  const engine = new HeadlessEngine({
    async open() {
      const core = await loadCore();
      const settings = await settingsOf(options, workspace, core);
      for (const problem of settings.problems) options.onProblem(workspace, problem);
      const opened = await openCore(core, settings, options, request);
      // Built on each request, because MCP servers may change what they offer.
      commands = () => sessionCommands(settings, opened.config);
      return opened;
    },
    commands: () => commands(),
    budget: new Budget(budget, earlier?.used),
    mayAutoExecute,
    ...(earlier ? { checkpoint: earlier } : {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a checkpoint is plain JSON
    save: (next) => save(next as unknown as Parameters<typeof save>[0]),
    onError,
  });
  return Object.assign(engine, { tools: async () => toolsOf(await engine.opened()) });
}

async function openCore(
  core: Core,
  settings: SessionSettings,
  { env, version, scratch }: HeadlessSetup,
  { id, workspace, model, autoExecute, checkpoint, mcpServers }: EngineRequest,
): Promise<OpenedCore> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the same engine
  const earlier = checkpoint as unknown as Checkpoint | undefined;
  const { isTrusted, fromSettings, policySettings, authType } = settings;
  const config = await openConfig(core, {
    sessionId: id,
    workspace,
    scratch: scratchFolder(scratch, id),
    model: earlier?.model ?? (model || (settings.model ?? defaultModel)),
    approvalMode: earlier?.approvalMode ?? (autoExecute ? core.ApprovalMode.YOLO : settings.approvalMode),
    isTrusted,
    credentials: credentialsOf(env, authType),
    clientVersion: version,
    fromSettings: {
      ...fromSettings,
      mcpServers: withClientServers(fromSettings.mcpServers, mcpServers?.() ?? [], workspace),
    },
    policySettings,
  });
  const mayAllowSession = isTrusted && !(fromSettings.disableAlwaysAllow ?? false);
  return { core, config, rules: { mayAllowSession, mayAllowForever: false, fileExists: existsSync, readPlan } };
}

/**
 * The model that a new task will run with, found without core, which is slow to load. Only core knows whether a folder
 * is trusted; until core is loaded, the folder counts as untrusted.
 */
export function modelBeforeOpening({ env, trust }: HeadlessSetup, { model, workspace }: EngineRequest): string {
  // What the operator's environment says overrides every file.
  const chosen = model || env['GEMINI_MODEL'];
  if (chosen !== undefined) return chosen;
  const isTrusted = (): boolean => trust === true;
  const settings = loadSettings({ workspace, home: homeOf(env), env, platform: process.platform, isTrusted });
  return modelIn(settings) ?? defaultModel;
}

/** The merged settings of the system, the user and the workspace. */
export function settingsOf({ env, trust }: HeadlessSetup, workspace: string, core: Core): Promise<SessionSettings> {
  return sessionSettings(core, { workspace, home: homeOf(env), env, platform: process.platform, trust });
}

/** Sets what core reads from the process environment: its home folder, and a trust setting that overrides ours. */
export function prepareProcess({ env, trust }: Pick<HeadlessSetup, 'env' | 'trust'>): void {
  process.env['GEMINI_CLI_HOME'] = homeOf(env);
  if (trust !== 'settings') process.env['GEMINI_CLI_TRUST_WORKSPACE'] = String(trust);
}

/** The folder that contains `.gemini`. */
function homeOf(env: HeadlessSetup['env']): string {
  return env['GEMINI_CLI_HOME'] ?? homedir();
}

function credentialsOf(env: HeadlessSetup['env'], authType: string | undefined): ModelCredentials {
  const { GEMINI_API_KEY: apiKey, GOOGLE_API_KEY: vertexKey, GOOGLE_GEMINI_BASE_URL: baseUrl } = env;
  const chosen = env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true' ? 'vertex-ai' : authType;
  return {
    ...defined({ apiKey, vertexKey, baseUrl, authType: chosen }),
  };
}

function toolsOf({ core, config }: OpenedCore): TaskTools {
  const manager = config.getMcpClientManager();
  return {
    tools: config.toolRegistry.getAllTools().map(toInfo),
    mcpServers: Object.keys(manager?.getMcpServers() ?? {}).map((name) => ({
      name,
      status: manager?.getClient(name)?.getStatus() ?? core.MCPServerStatus.DISCONNECTED,
      tools: config.toolRegistry.getToolsByServer(name).map(toInfo),
    })),
  };
}

type CoreTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: { parametersJsonSchema?: unknown };
};

function toInfo({ name, description, schema }: CoreTool): ToolInfo {
  return { name, description, parameterSchema: schema.parametersJsonSchema ?? {} };
}
