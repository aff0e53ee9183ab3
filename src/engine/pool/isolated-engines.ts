import type { Engines } from '../task-engine.js';
import { continued } from '../../domain/continued-checkpoint.js';
import type { Json } from '../../domain/json.js';
import { ChildEngine } from './child-engine.js';
import { GatedEngine } from './gated-engine.js';
import { headlessEngines, type HeadlessEnginesOptions, placeOf } from './headless-engines.js';
import { defined } from '../../util/defined.js';

/** Engines on gemini-cli-core, each task in its own process: a crash or a leak affects no other task. */
export function isolatedEngines(options: HeadlessEnginesOptions): Engines {
  const { gate: _gate, workspaces: _workspaces, secondsPerTurn: _seconds, ...setup } = options;
  return {
    ...headlessEngines(options),
    open(request) {
      let { checkpoint } = request;
      const save = async (next: Json): Promise<void> => {
        checkpoint = continued(checkpoint, next);
        return request.save(next);
      };
      return new GatedEngine({
        ...placeOf(request, options),
        open: () => new ChildEngine(setup, { ...request, save, ...defined({ checkpoint }) }),
      });
    },
  };
}
