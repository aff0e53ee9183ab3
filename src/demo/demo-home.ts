import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings under which the Gemini CLI asks nothing and calls nobody: no login, no updates, no statistics. */
const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true },
};

/**
 * A home of its own, so that a demo neither reads nor changes the user's Gemini settings. Returns the environment for it,
 * in which no folder is trusted: people start demos in repositories they have just cloned.
 */
export function demoEnvironment(home: string, modelUrl: string): Record<string, string> {
  mkdirSync(join(home, '.gemini'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings, null, 2));
  return {
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'demo',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_MODEL: 'gemini-2.5-flash',
    // Above everything else that could trust the folder: a list, an editor. With an answer given, the CLI does not ask.
    GEMINI_CLI_TRUST_WORKSPACE: 'false',
  };
}
