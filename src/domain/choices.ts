import type { Origin } from './events.js';

/** Something that can be chosen, by its id. */
export type Choice = { readonly id: string; readonly name: string; readonly description?: string };

/** What a session can run with. Empty if there is no choice. */
export type Choices = {
  readonly modes: readonly Choice[];
  readonly models: readonly Choice[];
  /** Settings that only some engines have, such as how long a model thinks. */
  readonly others?: readonly OtherSetting[];
};

export type OtherSetting = {
  readonly id: string;
  readonly name: string;
  readonly category?: string;
  readonly current: string;
  readonly choices: readonly Choice[];
};

export const noChoices: Choices = { modes: [], models: [] };

/** The settings of a session that its clients may change. Everyone gets a `settings` event for each change. */
export type Settable = {
  /** Resolves when the settings are known; rejects when the engine cannot run. */
  open(): Promise<unknown>;
  choices(): Choices;
  /** Takes an id from `choices` only. Rejects if the engine refuses it anyway. */
  setMode(id: string, by: Origin): Promise<void>;
  setModel(id: string, by: Origin): Promise<void>;
  /** Changes one of the other settings, by its id; absent if there are none. */
  setOther?(id: string, choice: string, by: Origin): Promise<void>;
};
