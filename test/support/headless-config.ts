import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '@google/gemini-cli-core';
import { afterAll } from 'vitest';
import {
  approvalModeOf,
  toConfigParameters,
  toPolicySettings,
} from '../../src/engine/headless/settings/config-parameters.js';
import { extensionLoader } from '../../src/engine/headless/settings/extension-loader.js';
import { readExtensions } from '../../src/engine/headless/settings/extensions.js';
import { loadSettings } from '../../src/engine/headless/settings/load-settings.js';
import { temporaryFolder } from './temporary-folder.js';

/** The core reads the home folder from the environment each time, so one test file has one home. */
export const home = temporaryFolder();
process.env['GEMINI_CLI_HOME'] = home;
export const core = await import('@google/gemini-cli-core');

Object.assign(core.debugLogger, { log() {}, warn() {}, error() {}, debug() {} });
core.coreEvents.setMaxListeners(0);

const configs: Config[] = [];
afterAll(() => Promise.all(configs.splice(0).map((config) => config.dispose())));

export function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** A real Config of the core for a workspace with these files, made from settings alone; `url` is the model's. */
export async function openConfig(files: Readonly<Record<string, unknown>>, url: string, trusted = true) {
  const workspace = temporaryFolder();
  write(workspace, files);
  const loaded = loadSettings({
    workspace,
    home,
    env: { ...process.env, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'none.json') },
    platform: process.platform,
    isTrusted: () => trusted,
  });
  const { extensions } = readExtensions({ home, workspace, settings: loaded.settings, env: loaded.env });
  const approvalMode = approvalModeOf(core, loaded);
  const config = new core.Config({
    ...toConfigParameters({
      loaded,
      workspace,
      home,
      extensionLoader: await extensionLoader(core, extensions, workspace),
    }),
    sessionId: randomUUID(),
    debugMode: false,
    model: loaded.settings.model?.name ?? 'gemini-2.5-flash',
    interactive: true,
    approvalMode,
    policyEngineConfig: await core.createPolicyEngineConfig(
      toPolicySettings({ loaded, workspace, home }),
      approvalMode,
      undefined,
      true,
    ),
    maxAttempts: 1,
    ptyInfo: 'child_process',
    enableInteractiveShell: false,
  });
  configs.push(config);
  await config.storage.initialize();
  await config.initialize();
  await config.waitForMcpInit();
  await config.refreshAuth(core.AuthType.USE_GEMINI, 'test-key', url);
  return { config, workspace, loaded, extensions };
}
