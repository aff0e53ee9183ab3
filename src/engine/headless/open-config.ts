import type { ApprovalMode, Config, ConfigParameters } from '@google/gemini-cli-core';
import { AppError } from '../../domain/errors.js';
import type { Core } from './core.js';

export type ConfigOptions = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly model: string;
  readonly approvalMode: string;
  readonly isTrusted: boolean;
  readonly credentials: Credentials;
  readonly clientVersion: string;
  /** What follows from the user's settings; `env` is what shell tools see. */
  readonly fromSettings: Partial<ConfigParameters>;
  readonly policySettings: Parameters<Core['createPolicyEngineConfig']>[0];
};

export type Credentials = { readonly apiKey?: string; readonly baseUrl?: string; readonly authType?: string };

/** Core takes a file lock with backoff here: ten at once would take a minute, one after another a second. */
let storageTurn: Promise<unknown> = Promise.resolve();

/** One session's world inside core: its tools, policies, memory and model client. */
export async function openConfig(core: Core, options: ConfigOptions): Promise<Config> {
  const { sessionId, workspace, model, isTrusted, clientVersion, fromSettings } = options;
  const approvalMode = toApprovalMode(core, options.approvalMode);
  const config = new core.Config({
    ...fromSettings,
    sessionId,
    targetDir: workspace,
    cwd: workspace,
    model,
    approvalMode,
    policyEngineConfig: await core.createPolicyEngineConfig(options.policySettings, approvalMode, undefined, true),
    debugMode: false,
    clientName: 'cosession',
    clientVersion,
    // Without it every question becomes an error of the tool.
    interactive: true,
    // Off, agents of a folder that is not trusted would be loaded.
    folderTrust: !isTrusted,
    trustedFolder: isTrusted,
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },
    ptyInfo: 'child_process',
    enableInteractiveShell: false,
    // Hashes every character of every chunk; `LoopGuard` does it for a hundredth.
    disableLoopDetection: true,
    // What a finished background shell says would go to the session that was opened last.
    shellBackgroundCompletionBehavior: 'silent',
  });
  // Without it "always" is ignored.
  core.createPolicyUpdater(config.getPolicyEngine(), config.messageBus, config.storage);
  const stored = storageTurn.then(() => config.storage.initialize());
  storageTurn = stored.catch(() => {});
  await stored;
  await config.initialize();
  await config.waitForMcpInit();
  // On it every session would make its system prompt anew whenever any session is opened. Who reads memory again says so to its own.
  core.coreEvents.removeAllListeners(core.CoreEvent.MemoryChanged);
  await authenticate(core, config, options.credentials);
  return config;
}

async function authenticate(core: Core, config: Config, { apiKey, baseUrl, authType }: Credentials): Promise<void> {
  const { AuthType } = core;
  const chosen =
    Object.values(AuthType).find((type: string) => type === authType) ?? (apiKey ? AuthType.USE_GEMINI : undefined);
  if (chosen === undefined || (chosen === AuthType.USE_GEMINI && !apiKey)) {
    throw new AppError('not-ready', 'the server has no credentials for the model: start it with GEMINI_API_KEY set');
  }
  await config.refreshAuth(chosen, apiKey, baseUrl);
}

function toApprovalMode(core: Core, name: string): ApprovalMode {
  return Object.values(core.ApprovalMode).find((mode: string) => mode === name) ?? core.ApprovalMode.DEFAULT;
}
