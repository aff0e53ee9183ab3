import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ExtensionInstallMetadata, GeminiCLIExtension, MCPServerConfig } from '@google/gemini-cli-core';
import { parse as parseDotEnv } from 'dotenv';
import * as z from 'zod';
import { isInside } from '../../../util/is-inside.js';
import { expandVariables, type Environment } from './expand-variables.js';
import { isEnabled, readEnablement } from './extension-enablement.js';
import { isJsonObject } from './merge-settings.js';
import { geminiFolder } from './settings-files.js';
import type { Settings } from './settings-schema.js';

const manifestSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9-]+$/, 'letters, digits and dashes only'),
  version: z.string(),
  mcpServers: z.record(z.string(), z.custom<MCPServerConfig>(isJsonObject)).optional(),
  contextFileName: z.union([z.string(), z.array(z.string())]).optional(),
  excludeTools: z.array(z.string()).optional(),
  settings: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().default(''),
        envVar: z.string(),
        sensitive: z.boolean().default(false),
      }),
    )
    .optional(),
});

type Manifest = z.infer<typeof manifestSchema>;

/** An installed extension, as its files describe it. `readExtensionParts` adds what only core can read. */
export type Extension = {
  readonly name: string;
  readonly version: string;
  readonly isActive: boolean;
  readonly path: string;
  readonly installMetadata: ExtensionInstallMetadata | undefined;
  readonly mcpServers: Record<string, MCPServerConfig>;
  readonly contextFiles: string[];
  readonly excludeTools: string[];
  readonly resolvedSettings: NonNullable<GeminiCLIExtension['resolvedSettings']>;
  /** Variables of the extension's own `.env`. */
  readonly variables: Readonly<Record<string, string>>;
};

export type ExtensionOptions = {
  readonly home: string;
  readonly workspace: string;
  readonly settings: Settings;
  readonly env: Environment;
};

export type InstalledExtensions = { readonly extensions: readonly Extension[]; readonly problems: readonly string[] };

/** Every extension in `~/.gemini/extensions`, by name. An unreadable extension is reported as a problem and skipped. */
export function readExtensions(options: ExtensionOptions): InstalledExtensions {
  const folder = join(options.home, geminiFolder, 'extensions');
  const extensions = new Map<string, Extension>();
  const problems: string[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    try {
      const extension = readExtension(path, options);
      if (extensions.has(extension.name)) throw new Error(`there is another extension named ${extension.name}`);
      extensions.set(extension.name, extension);
    } catch (thrown) {
      problems.push(`extension ${name} is not loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return { extensions: [...extensions.values()], problems };
}

function readExtension(installed: string, { home, workspace, settings, env }: ExtensionOptions): Extension {
  const installMetadata = readInstallMetadata(installed);
  refuseForbidden(installMetadata, settings);
  const path = installMetadata?.type === 'link' ? installMetadata.source : installed;
  const variables = readIfThere(join(installed, '.env'), parseDotEnv) ?? {};
  const written: unknown = JSON.parse(readFileSync(join(path, 'gemini-extension.json'), 'utf8'));
  const hydrated = expandVariables(written, hydration(path, workspace));
  const manifest = manifestSchema.parse(expandVariables(hydrated, { ...env, ...variables }));
  return {
    name: manifest.name,
    version: manifest.version,
    isActive: isEnabled(
      manifest.name,
      workspace,
      readEnablement(join(home, geminiFolder, 'extensions', 'extension-enablement.json')),
    ),
    path,
    installMetadata,
    mcpServers: withoutTrust(manifest.mcpServers ?? {}),
    contextFiles: contextFiles(manifest, path),
    excludeTools: manifest.excludeTools ?? [],
    resolvedSettings: (manifest.settings ?? []).map(({ name, envVar, sensitive }) => {
      const value = variables[envVar];
      return { name, envVar, sensitive, ...(value === undefined ? {} : { value, scope: 'user' as const }) };
    }),
    variables,
  };
}

/** The variables that any text of an extension may use. */
export function hydration(path: string, workspace: string): Record<string, string> {
  return { extensionPath: path, workspacePath: workspace, '/': sep, pathSeparator: sep };
}

const installMetadataSchema = z.object({
  source: z.string(),
  type: z.enum(['git', 'local', 'link', 'github-release']),
});

function readInstallMetadata(path: string): ExtensionInstallMetadata | undefined {
  return readIfThere(join(path, '.gemini-extension-install.json'), (text) =>
    installMetadataSchema.parse(JSON.parse(text)),
  );
}

/** `security.allowedExtensions` and `security.blockGitExtensions`. */
function refuseForbidden(metadata: ExtensionInstallMetadata | undefined, { security }: Settings): void {
  const patterns = security?.allowedExtensions ?? [];
  if (patterns.length > 0) {
    const source = metadata?.source ?? '';
    const real = existsSync(source) ? realpathSync(source) : source;
    if (metadata && patterns.some((pattern) => new RegExp(pattern).test(real))) return;
    throw new Error('security.allowedExtensions does not allow where it comes from');
  }
  const isRemote = metadata?.type === 'git' || metadata?.type === 'github-release';
  if (isRemote && security?.blockGitExtensions) throw new Error('security.blockGitExtensions is set');
}

/** An extension cannot mark its own servers as trusted. */
function withoutTrust(servers: Record<string, MCPServerConfig>): Record<string, MCPServerConfig> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const { trust: _trust, ...rest } = server;
      return [name, rest];
    }),
  );
}

function contextFiles({ contextFileName = 'GEMINI.md' }: Manifest, folder: string): string[] {
  return [contextFileName]
    .flat()
    .map((name) => resolve(folder, name))
    .filter((file) => existsSync(file) && isInside(realpathSync(file), realpathSync(folder)));
}

function readIfThere<T>(path: string, read: (text: string) => T): T | undefined {
  return existsSync(path) ? read(readFileSync(path, 'utf8')) : undefined;
}
