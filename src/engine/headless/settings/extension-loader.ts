import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionLoader, GeminiCLIExtension } from '@google/gemini-cli-core';
import type { Core } from '../core/core.js';
import { expandVariables } from './expand-variables.js';
import { hydration, type Extension } from './extensions.js';
import { parseSettings, type Settings } from './settings-schema.js';

/** The extensions in the form that core starts, with their skills, agents, hooks and policies. */
export async function extensionLoader(
  core: Core,
  extensions: readonly Extension[],
  workspace: string,
): Promise<ExtensionLoader> {
  return new core.SimpleExtensionLoader(
    await Promise.all(extensions.map((extension) => toCore(core, extension, workspace))),
  );
}

async function toCore(core: Core, extension: Extension, workspace: string): Promise<GeminiCLIExtension> {
  const { variables, installMetadata, ...known } = extension;
  const { name, path } = known;
  const values = { ...hydration(path, workspace), ...variables };
  const skills = await core.loadSkillsFromDir(join(path, 'skills'));
  const { agents } = await core.loadAgentsFromDirectory(join(path, 'agents'));
  const policies = join(path, 'policies');
  const { rules = [], checkers = [] } = existsSync(policies) ? await core.loadExtensionPolicies(name, policies) : {};
  const hooks = readHooks(path, values);
  return {
    ...known,
    id: createHash('sha256')
      .update(installMetadata?.source ?? name)
      .digest('hex'),
    skills: skills.map((skill) => ({ ...hydrate(skill, values), extensionName: name })),
    agents: agents.map((agent) => ({ ...hydrate(agent, values), extensionName: name })),
    rules,
    checkers,
    ...(installMetadata ? { installMetadata } : {}),
    ...(hooks ? { hooks } : {}),
  };
}

function readHooks(path: string, values: Record<string, string>): Settings['hooks'] {
  const file = join(path, 'hooks', 'hooks.json');
  if (!existsSync(file)) return undefined;
  const checked = parseSettings(expandVariables(JSON.parse(readFileSync(file, 'utf8')), values));
  return checked.success ? checked.data.hooks : undefined;
}

function hydrate<T>(value: T, values: Record<string, string>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the text of strings changes
  return expandVariables(value, values) as T;
}
