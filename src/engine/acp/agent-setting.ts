import type { Choice, OtherSetting } from '../../domain/choices.js';
import type { OpenedSession } from './agent/agent-messages.js';

/** The mode or the model of an agent's session, and its other possible values. */
export type AgentSetting = {
  readonly current: string;
  readonly choices: readonly Choice[];
  /** The agent's id of the config option, if the setting is one. */
  readonly optionId?: string;
};

export type SettingKind = 'mode' | 'model';

/** Reads one setting, sent as a config option or in the older form that modes and models each have. */
export function readSetting(
  kind: SettingKind,
  { configOptions, modes, models }: Partial<OpenedSession>,
  known: AgentSetting | undefined,
): AgentSetting | undefined {
  const option = configOptions?.find(({ category }) => category === kind);
  if (option?.currentValue != null)
    return { current: option.currentValue, choices: option.options ?? known?.choices ?? [], optionId: option.id };
  const older = kind === 'mode' ? modes : models;
  return older ? { ...known, current: older.current, choices: older.choices ?? known?.choices ?? [] } : known;
}

/** The agent's other options, as far as they are a choice among texts. */
export function readOthers({ configOptions }: Partial<OpenedSession>): readonly OtherSetting[] | undefined {
  return configOptions?.flatMap(({ id, name, category, currentValue: current, options: choices }) => {
    if (category === 'mode' || category === 'model' || current == null || !choices) return [];
    return [{ id, name: name === '' ? id : name, ...(category == null ? {} : { category }), current, choices }];
  });
}

/** Any option not known to be harmless might let tools run unasked, or send the conversation elsewhere. */
export function isHarmless({ category }: OtherSetting): boolean {
  return category === 'thought_level';
}

/**
 * Modes in which an agent changes nothing without asking, by the ids that Claude, Codex, Gemini, goose, opencode and
 * Qwen use. Any other mode may run tools unasked.
 */
const askingModes: readonly string[] = ['default', 'plan', 'ask', 'approve', 'chat', 'read-only', 'dontAsk'];

export function isAskingMode(id: string): boolean {
  return askingModes.includes(id);
}
