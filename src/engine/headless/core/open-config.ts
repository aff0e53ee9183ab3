import { basename } from 'node:path';
import type { ApprovalMode, Config, ConfigParameters } from '@google/gemini-cli-core';
import { AppError } from '../../../domain/errors.js';
import { ownCallIds } from '../../gemini/own-call-ids.js';
import type { Core } from './core.js';
import { oneByOne } from './one-by-one.js';
import { policiesOf, type PolicySettings, rememberExcludedTools } from './policies.js';
import { keepInScratch } from './scratch.js';
import { shareTexts } from './share-texts.js';
import { yieldBeforeRequests } from './yielding-requests.js';

export type ConfigOptions = {
  readonly sessionId: string;
  readonly workspace: string;
  /** The folder for the files that core writes for this session. */
  readonly scratch: string;
  readonly model: string;
  readonly approvalMode: string;
  readonly isTrusted: boolean;
  readonly credentials: ModelCredentials;
  readonly clientVersion: string;
  /** Parameters that follow from the user's settings. `env` is the environment of shell tools. */
  readonly fromSettings: Partial<ConfigParameters>;
  readonly policySettings: PolicySettings;
};

export type ModelCredentials = {
  readonly apiKey?: string;
  /** The key for Vertex AI. Not needed on a machine with its own service account. */
  readonly vertexKey?: string;
  readonly baseUrl?: string;
  readonly authType?: string;
};

/** Core's names for workspaces in its own folders. */
const projectNames = new Map<string, Promise<string>>();
let naming: Promise<unknown> = Promise.resolve();

/** Opens one session in core, with its tools, policies, memory and model client. */
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
    // Otherwise every question becomes a tool error.
    interactive: true,
    // If this were off, core would load the agents of an untrusted folder.
    folderTrust: !isTrusted,
    trustedFolder: isTrusted,
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },
    ptyInfo: 'child_process',
    enableInteractiveShell: false,
    // Core's detection hashes every character of every chunk; `LoopGuard` costs a hundredth of that.
    disableLoopDetection: true,
    // The output of a finished background shell would go to the session that was opened last.
    shellBackgroundCompletionBehavior: 'silent',
  });
  // Otherwise "always" is ignored.
  core.createPolicyUpdater(config.getPolicyEngine(), config.messageBus, config.storage);
  rememberExcludedTools(config.getPolicyEngine());
  await nameProject(config, workspace);
  keepInScratch(config, scratch);
  await oneByOne(() => config.initialize());
  await config.waitForMcpInit();
  // Otherwise opening any session rebuilds every session's system prompt. Code that rereads memory updates its own session.
  core.coreEvents.removeAllListeners(core.CoreEvent.MemoryChanged);
  await oneByOne(() => authenticate(core, config, options.credentials));
  ownCallIds(config.getContentGenerator());
  yieldBeforeRequests(config.getContentGenerator());
  shareTexts(config);
  return config;
}

/** Core takes a file lock with backoff here. Ten at once would take a minute, so we do it once per workspace, one at a time. */
async function nameProject({ storage }: Config, workspace: string): Promise<void> {
  const known = projectNames.get(workspace);
  // Core has no other way to set it.
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
  // Core reads this key from the environment of shell tools. No tool exists yet, and `env` is restored below.
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
