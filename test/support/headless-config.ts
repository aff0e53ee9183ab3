import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCore } from '../../src/engine/headless/core/core.js';
import { openConfig as open } from '../../src/engine/headless/core/open-config.js';
import { sessionSettings } from '../../src/engine/headless/settings/session-settings.js';
import type { TrustRule } from '../../src/engine/headless/settings/trust.js';
import { endAfter } from './leftovers.js';
import { temporaryFolder } from './temporary-folder.js';

/** The core reads the home folder from the environment each time, so one test file has one home. */
export const home = temporaryFolder();
process.env['GEMINI_CLI_HOME'] = home;
export const core = await loadCore();

export function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Settings for a new workspace with these files. */
async function settingsOf(files: Readonly<Record<string, unknown>>, trust: TrustRule = true) {
  const workspace = temporaryFolder();
  write(workspace, files);
  const env = { ...process.env, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'none.json') };
  return {
    workspace,
    settings: await sessionSettings(core, { workspace, home, env, platform: process.platform, trust }),
  };
}

/** A real Config of the core for a workspace with these files, made from settings alone; `url` is the model's. */
export async function openConfig(files: Readonly<Record<string, unknown>>, url: string, trust: TrustRule = true) {
  const { workspace, settings } = await settingsOf(files, trust);
  const config = await open(core, {
    ...settings,
    sessionId: randomUUID(),
    workspace,
    scratch: temporaryFolder(),
    model: settings.model ?? 'gemini-2.5-flash',
    credentials: { apiKey: 'test-key', baseUrl: url },
    clientVersion: 'test',
  });
  endAfter('file', () => config.dispose());
  return { config, workspace, settings };
}
