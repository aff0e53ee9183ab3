import type { Settable } from '../domain/choices.js';
import type { EventBody, Origin } from '../domain/events.js';

type SettingsEvent = EventBody & { readonly type: 'settings' };
type Wish = { readonly value: string; readonly by: Origin };

/** Engines report settings without saying who changed them. This remembers what clients ask for until it is reported. */
export class SettingWishes {
  #mode: Wish | undefined;
  #model: Wish | undefined;

  /** The same settings; what is asked of them is remembered. */
  watch(settings: Settable): Settable {
    return {
      open: () => settings.open(),
      choices: () => settings.choices(),
      setMode: (value, by) => {
        this.#mode = { value, by };
        return settings.setMode(value, by);
      },
      setModel: (value, by) => {
        this.#model = { value, by };
        return settings.setModel(value, by);
      },
      ...(settings.setOther && {
        setOther: async (id: string, choice: string, by: Origin) => settings.setOther?.(id, choice, by),
      }),
    };
  }

  /** The event, with whoever asked for what it reports. */
  signed(event: SettingsEvent): SettingsEvent {
    const by = this.#mode?.value === event.approvalMode ? this.#mode?.by : undefined;
    const other = this.#model?.value === event.model ? this.#model.by : undefined;
    if (by) this.#mode = undefined;
    if (other) this.#model = undefined;
    const asker = by ?? other;
    return asker ? { ...event, by: asker } : event;
  }
}
