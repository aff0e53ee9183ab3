import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings that keep the Gemini CLI from asking questions or using the network: no login, no updates, no statistics. */
const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true },
};

/**
 * Creates a separate home, so that a demo neither reads nor changes the user's Gemini settings. Returns its environment,
 * which trusts no folder: people start demos in repositories they have just cloned.
 */
export function demoEnvironment(home: string, modelUrl: string): Record<string, string> {
  mkdirSync(join(home, '.gemini'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings, null, 2));
  return {
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'demo',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_MODEL: 'gemini-2.5-flash',
    // Overrides everything else that could trust the folder, such as a list or an editor, and keeps the CLI from asking.
    GEMINI_CLI_TRUST_WORKSPACE: 'false',
  };
}
