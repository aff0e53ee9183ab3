import type { Settable } from '../domain/choices.js';
import type { EventBody, Origin } from '../domain/events.js';

type SettingsEvent = EventBody & { readonly type: 'settings' };
type Setting = 'approvalMode' | 'model';
type Wish = { readonly setting: Setting; readonly value: string; readonly by: Origin };

/** Engines report settings without saying who changed them, but always before they confirm the change. */
export class SettingWishes {
  /** The changes that clients are asking for now. A refused or finished request must not be credited with a later change. */
  readonly #open = new Set<Wish>();

  /** The same settings; each requested change is remembered until it is done. */
  watch(settings: Settable): Settable {
    return {
      open: () => settings.open(),
      choices: () => settings.choices(),
      setMode: (value, by) => this.#during({ setting: 'approvalMode', value, by }, () => settings.setMode(value, by)),
      setModel: (value, by) => this.#during({ setting: 'model', value, by }, () => settings.setModel(value, by)),
      ...(settings.setOther && {
        setOther: async (id: string, choice: string, by: Origin) => settings.setOther?.(id, choice, by),
      }),
    };
  }

  /** The event, with the client that asked for the reported change. */
  signed(event: SettingsEvent): SettingsEvent {
    const wish = [...this.#open].find(({ setting, value }) => event[setting] === value);
    return wish ? { ...event, by: wish.by } : event;
  }

  async #during(wish: Wish, change: () => Promise<void>): Promise<void> {
    this.#open.add(wish);
    try {
      await change();
    } finally {
      this.#open.delete(wish);
    }
  }
}
