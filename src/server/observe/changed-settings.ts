import type { SessionEvent } from '../../domain/events.js';
import { defined } from '../../util/defined.js';

type Settings = { readonly mode?: string; readonly model?: string };

/** An engine reports all its settings, first when it starts and then with every change. This finds what has changed. */
export class ChangedSettings {
  #known: Settings | undefined;

  /** The mode and model that the event changes. Undefined if it changes neither, or is the first. */
  in({ model, approvalMode: mode }: SessionEvent & { readonly type: 'settings' }): Settings | undefined {
    const before = this.#known;
    this.#known = { model, ...defined({ mode }) };
    if (!before || (before.mode === mode && before.model === model)) return undefined;
    return defined({
      mode: before.mode === mode ? undefined : mode,
      model: before.model === model ? undefined : model,
    });
  }
}
