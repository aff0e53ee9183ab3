import type { ConfigParameters, PolicySettings } from '@google/gemini-cli-core';
import type { HeadlessCommand } from '../commands/command.js';
import { readCustomCommands } from '../commands/custom-commands.js';
import type { Core } from '../core/core.js';
import { approvalModeOf, toConfigParameters, toPolicySettings } from './config-parameters.js';
import type { Environment } from './expand-variables.js';
import { extensionLoader } from './extension-loader.js';
import { readExtensions, type Extension } from './extensions.js';
import { type LoadedSettings, loadSettings } from './load-settings.js';
import { decideTrust, type TrustRule } from './trust.js';

export type SessionSettings = {
  readonly isTrusted: boolean;
  readonly model: string | undefined;
  readonly authType: string | undefined;
  readonly approvalMode: string;
  readonly fromSettings: Partial<ConfigParameters>;
  readonly policySettings: PolicySettings;
  /** The environment of shell tools. */
  readonly toolEnv: Readonly<Record<string, string>>;
  readonly extensions: readonly Extension[];
  readonly customCommands: readonly HeadlessCommand[];
  /** Dotted paths of settings that have no meaning for the server. */
  readonly ignored: readonly string[];
  /** Sentences about what was left out. */
  readonly problems: readonly string[];
};

export type SessionSettingsOptions = {
  readonly workspace: string;
  /** The folder that contains `.gemini`. */
  readonly home: string;
  readonly env: Environment;
  readonly platform: string;
  readonly trust: TrustRule;
};

/** Everything that the files of the system, the user and the workspace say about a session in this workspace. */
export async function sessionSettings(core: Core, options: SessionSettingsOptions): Promise<SessionSettings> {
  const { workspace, home, trust } = options;
  const isTrusted = (folderTrustEnabled: boolean): boolean =>
    decideTrust(trust, { workspace, folderTrustEnabled }, core);
  const loaded = loadSettings({ ...options, isTrusted });
  const { settings, trusted, env } = loaded;
  const installed = readExtensions({ home, workspace, settings, env });
  const { extensions } = installed;
  const custom = readCustomCommands({ home, workspace, trusted, extensions });
  const loader = await extensionLoader(core, extensions, workspace);
  const fromSettings = toConfigParameters({ loaded, workspace, home, extensionLoader: loader });
  return {
    isTrusted: trusted,
    model: modelIn(loaded),
    authType: settings.security?.auth?.enforcedType ?? settings.security?.auth?.selectedType,
    approvalMode: approvalModeOf(core, loaded),
    fromSettings,
    policySettings: toPolicySettings({ loaded, workspace, home }),
    toolEnv: fromSettings.env,
    extensions,
    customCommands: custom.commands,
    ignored: loaded.ignored,
    problems: [...loaded.problems, ...installed.problems, ...custom.problems],
  };
}

/** The model named by the environment or the settings. */
export function modelIn({ env, settings }: Pick<LoadedSettings, 'env' | 'settings'>): string | undefined {
  return env['GEMINI_MODEL'] ?? settings.model?.name;
}
