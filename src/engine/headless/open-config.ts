import { basename } from 'node:path';
import type { ApprovalMode, Config, ConfigParameters } from '@google/gemini-cli-core';
import { AppError } from '../../domain/errors.js';
import { ownCallIds } from '../gemini/own-call-ids.js';
import type { Core } from './core.js';
import { policiesOf, type PolicySettings, rememberExcludedTools } from './policies.js';
import { keepInScratch } from './scratch.js';
import { shareTexts } from './share-texts.js';

export type ConfigOptions = {
  readonly sessionId: string;
  readonly workspace: string;
  /** The folder for what core writes of this session. */
  readonly scratch: string;
  readonly model: string;
  readonly approvalMode: string;
  readonly isTrusted: boolean;
  readonly credentials: ModelCredentials;
  readonly clientVersion: string;
  /** What follows from the user's settings; `env` is what shell tools see. */
  readonly fromSettings: Partial<ConfigParameters>;
  readonly policySettings: PolicySettings;
};

export type ModelCredentials = {
  readonly apiKey?: string;
  /** The key for Vertex AI, which needs none where the machine has an account of its own. */
  readonly vertexKey?: string;
  readonly baseUrl?: string;
  readonly authType?: string;
};

/** How core calls each workspace in its own folders. */
const projectNames = new Map<string, Promise<string>>();
let naming: Promise<unknown> = Promise.resolve();

/** One session's world inside core: its tools, policies, memory and model client. */
export async function openConfig(core: Core, options: ConfigOptions): Promise<Config> {
  const { sessionId, workspace, scratch, model, isTrusted, clientVersion, fromSettings } = options;
  const approvalMode = toApprovalMode(core, options.approvalMode);
  const config = new core.Config({
    ...fromSettings,
    sessionId,
    targetDir: workspace,
    cwd: workspace,
    model,
    approvalMode,
    policyEngineConfig: await policiesOf(core, options.policySettings, approvalMode),
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
  rememberExcludedTools(config.getPolicyEngine());
  await nameProject(config, workspace);
  keepInScratch(config, scratch);
  await config.initialize();
  await config.waitForMcpInit();
  // On it every session would make its system prompt anew whenever any session is opened. Who reads memory again says so to its own.
  core.coreEvents.removeAllListeners(core.CoreEvent.MemoryChanged);
  await authenticate(core, config, options.credentials);
  ownCallIds(config.getContentGenerator());
  shareTexts(config);
  return config;
}

/** Core takes a file lock with backoff for it: ten at once would take a minute, so it is done once per workspace, in turn. */
async function nameProject({ storage }: Config, workspace: string): Promise<void> {
  const known = projectNames.get(workspace);
  // Core has no other way to be told.
  if (known) return void Object.assign(storage, { projectIdentifier: await known });
  const name = naming.then(() => storage.initialize()).then(() => basename(storage.getProjectTempDir()));
  naming = name.catch(() => projectNames.delete(workspace));
  projectNames.set(workspace, name);
  await name;
}

async function authenticate(core: Core, config: Config, credentials: ModelCredentials): Promise<void> {
  const { AuthType } = core;
  const { apiKey, vertexKey, baseUrl, authType } = credentials;
  const chosen =
    Object.values(AuthType).find((type: string) => type === authType) ?? (apiKey ? AuthType.USE_GEMINI : undefined);
  if (chosen === undefined || (chosen === AuthType.USE_GEMINI && !apiKey)) {
    throw new AppError('not-ready', 'the server has no credentials for the model: start it with GEMINI_API_KEY set');
  }
  const { env } = config;
  // Core takes this key from where it takes the variables of shell tools, before there are any tools.
  if (vertexKey !== undefined) Object.assign(config, { env: { ...env, GOOGLE_API_KEY: vertexKey } });
  try {
    await config.refreshAuth(chosen, apiKey, baseUrl);
  } finally {
    Object.assign(config, { env });
  }
}

function toApprovalMode(core: Core, name: string): ApprovalMode {
  return Object.values(core.ApprovalMode).find((mode: string) => mode === name) ?? core.ApprovalMode.DEFAULT;
}
