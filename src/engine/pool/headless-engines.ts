import { canResume, type Checkpoint } from '../headless/checkpoint.js';
import { commandRegistry } from '../headless/commands/registry.js';
import { loadCore } from '../headless/core/core.js';
import { deleteScratch } from '../headless/core/scratch.js';
import { resolveWorkspace, type WorkspaceRules } from '../headless/workspace.js';
import type { EngineRequest, Engines } from '../task-engine.js';
import type { Gate } from '../../util/fair-gate.js';
import { GatedEngine, type GatedEngineOptions } from './gated-engine.js';
import { type HeadlessSetup, modelBeforeOpening, openHeadless, prepareProcess, settingsOf } from './open-headless.js';

export type HeadlessEnginesOptions = HeadlessSetup & {
  readonly workspaces: WorkspaceRules;
  /** Limits how many turns run at once, across all sessions. */
  readonly gate: Gate;
  /** How long a turn may work. */
  readonly secondsPerTurn?: number | undefined;
};

/** Engines on gemini-cli-core, all in this process. */
export function headlessEngines(options: HeadlessEnginesOptions): Engines {
  const { workspaces, scratch } = options;
  prepareProcess(options);
  const ofDefault = async () => {
    const settings = await settingsOf(options, resolveWorkspace(undefined, workspaces), await loadCore());
    return { settings, registry: commandRegistry(settings.customCommands) };
  };
  return {
    workspace: (requested) => resolveWorkspace(requested, workspaces),
    open: (request) =>
      new GatedEngine({ ...placeOf(request, options), open: () => openHeadless(options, request), isInProcess: true }),
    forget: (id) => deleteScratch(scratch, id),
    commands: async () => (await ofDefault()).registry.list(),
    async run(line) {
      const { settings, registry } = await ofDefault();
      const { signal } = new AbortController();
      const context = { core: await loadCore(), extensions: settings.extensions, usage: {}, say: () => {}, signal };
      const { text, data } = await registry.run(line, context);
      return { text, ...(data ? { data } : {}) };
    },
  };
}

/** How a task with an engine on core waits at the gate, its model, and whether its turn can be continued. */
export function placeOf(
  request: EngineRequest,
  options: HeadlessEnginesOptions,
): Pick<GatedEngineOptions, 'gate' | 'owner' | 'model' | 'secondsPerTurn' | 'canResume'> {
  const { id, owner, checkpoint } = request;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the same engine
  const earlier = checkpoint as unknown as Checkpoint | undefined;
  return {
    gate: options.gate,
    secondsPerTurn: options.secondsPerTurn,
    owner: owner === '' ? id : owner,
    model: earlier?.model ?? modelBeforeOpening(options, request),
    canResume: (turnId) => earlier !== undefined && canResume(earlier, turnId),
  };
}
