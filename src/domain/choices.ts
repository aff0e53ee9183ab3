import type { Origin } from './events.js';

/** Something that can be chosen, by its id. */
export type Choice = { readonly id: string; readonly name: string; readonly description?: string };

/** What a session can run with. Empty where nothing else can be chosen. */
export type Choices = {
  readonly modes: readonly Choice[];
  readonly models: readonly Choice[];
  /** What only some engines have, such as how long a model thinks. */
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

/** The settings of a session that its clients may change. Everybody is told of a change by the event `settings`. */
export type Settable = {
  /** Resolves when the settings are known; rejects when the engine cannot run. */
  open(): Promise<unknown>;
  choices(): Choices;
  /** Only with an id of `choices`. Rejects when the engine will not have it after all. */
  setMode(id: string, by: Origin): Promise<void>;
  setModel(id: string, by: Origin): Promise<void>;
  /** One of the others, by its id; absent where there are none. */
  setOther?(id: string, choice: string, by: Origin): Promise<void>;
};
