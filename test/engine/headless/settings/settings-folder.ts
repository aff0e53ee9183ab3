import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSettings, type LoadOptions } from '../../../../src/engine/headless/settings/load-settings.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A home, a workspace and a system folder with the given files, by their path below `home/`, `workspace/`, `system/`. */
export function settingsFolder(files: Readonly<Record<string, unknown>>) {
  const folder = temporaryFolder();
  const [home, workspace, system] = ['home', 'workspace', 'system'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [home, workspace, system]) mkdirSync(place);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const load = (options: Partial<LoadOptions> = {}) =>
    loadSettings({
      home,
      workspace,
      platform: 'linux',
      isTrusted: () => true,
      distrustOf: () => undefined,
      ...options,
      env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(system, 'settings.json'), ...options.env },
    });
  return { home, workspace, system, load };
}
