import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalMode, PolicyEngine } from '@google/gemini-cli-core';
import { RecentMap } from '../../../util/recent-map.js';
import type { Core } from './core.js';

export type PolicySettings = Parameters<Core['createPolicyEngineConfig']>[0];
type Policies = Awaited<ReturnType<Core['createPolicyEngineConfig']>>;

const known = new RecentMap<string, Policies>(100);

/** The rules of a session. Sessions with the same files and settings share them: parsing is a fifth of the time to open one. */
export async function policiesOf(core: Core, settings: PolicySettings, mode: ApprovalMode): Promise<Policies> {
  const { policyPaths = [], adminPolicyPaths = [], workspacePoliciesDir } = settings;
  const folders = [core.Storage.getSystemPoliciesDir(), core.Storage.getUserPoliciesDir(), ...policyPaths];
  const all = [...folders, ...adminPolicyPaths, ...(workspacePoliciesDir === undefined ? [] : [workspacePoliciesDir])];
  const key = JSON.stringify([settings, mode, all.map(stampOf)]);
  const policies = known.get(key) ?? (await load(core, settings, mode, key));
  const { rules = [], checkers = [], hookCheckers = [] } = policies;
  // A session sorts its lists and adds to them.
  return { ...policies, rules: [...rules], checkers: [...checkers], hookCheckers: [...hookCheckers] };
}

/** Policies that core complains about are not cached, so every session gets the warning. */
async function load(core: Core, settings: PolicySettings, mode: ApprovalMode, key: string): Promise<Policies> {
  const { coreEvents, CoreEvent } = core;
  let isFaulty = false;
  const onFault = (): void => void (isFaulty = true);
  coreEvents.on(CoreEvent.UserFeedback, onFault);
  try {
    const policies = await core.createPolicyEngineConfig(settings, mode, undefined, true);
    if (!isFaulty) known.set(key, policies);
    return policies;
  } finally {
    coreEvents.off(CoreEvent.UserFeedback, onFault);
  }
}

/**
 * Changes when the file, or a file in the folder, is written. Read in this tick: there are a handful of them, and handing
 * each to a thread costs ten times as much.
 */
function stampOf(path: string): unknown {
  const names = ifReadable(() => readdirSync(path)) ?? [];
  return [path, ...names.map((name) => join(path, name))].map(changeOf);
}

function changeOf(path: string): unknown {
  const found = ifReadable(() => statSync(path));
  return found && [path, found.ctimeMs, found.size];
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Core asks a dozen times per turn which tools are forbidden with any arguments, and checks every rule for every tool. */
export function rememberExcludedTools(policies: PolicyEngine): void {
  const find = policies.getExcludedTools.bind(policies);
  let last: { rules: unknown; count: number; key: string; found: Set<string> } | undefined;
  policies.getExcludedTools = (metadata, names) => {
    // Added rules extend the same list; removing rules replaces it.
    const rules = policies.getRules();
    const key = JSON.stringify([policies.getApprovalMode(), [...(names ?? [])], [...(metadata ?? [])]]);
    if (last?.rules !== rules || last.count !== rules.length || last.key !== key)
      last = { rules, count: rules.length, key, found: find(metadata, names) };
    return new Set(last.found);
  };
}
