import type { EngineEvent } from '../engine.js';
import type { OpenedSession } from './agent-messages.js';

type Settings = Extract<EngineEvent, { type: 'settings' }>;

/** Model and mode, which agents tell in three ways and one at a time. */
export class AgentSettings {
  #model = '';
  #mode = '';

  /** The settings when they have changed. */
  update({ modes, models, configOptions }: Partial<OpenedSession>): Settings | undefined {
    const option = (category: string) => configOptions?.find((each) => each.category === category)?.currentValue;
    const model = models?.currentModelId ?? option('model') ?? this.#model;
    const mode = modes?.currentModeId ?? option('mode') ?? this.#mode;
    if (model === this.#model && mode === this.#mode) return undefined;
    this.#model = model;
    this.#mode = mode;
    return { type: 'settings', model, ...(mode === '' ? {} : { approvalMode: mode }) };
  }
}
