import type { Choice, OtherSetting } from '../../domain/choices.js';
import type { OpenedSession } from './agent-messages.js';

/** The mode or the model of an agent's session, with what else it could be. */
export type AgentSetting = {
  readonly current: string;
  readonly choices: readonly Choice[];
  /** The agent's id of it, when it is one of its config options. */
  readonly optionId?: string;
};

export type SettingKind = 'mode' | 'model';

/** What an agent tells of one setting: as a config option, or in the older way that is of its own for modes and models. */
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

/** The agent's other options: what can be chosen among texts. */
export function readOthers({ configOptions }: Partial<OpenedSession>): readonly OtherSetting[] | undefined {
  return configOptions?.flatMap(({ id, name, category, currentValue: current, options: choices }) => {
    if (category === 'mode' || category === 'model' || current == null || !choices) return [];
    return [{ id, name: name === '' ? id : name, ...(category == null ? {} : { category }), current, choices }];
  });
}

/** What is not known to be harmless may have tools run unasked, or send the conversation elsewhere. */
export function isHarmless({ category }: OtherSetting): boolean {
  return category === 'thought_level';
}

/**
 * Modes in which an agent changes nothing without asking, by the ids that Claude, Codex, Gemini, goose, opencode and Qwen
 * have for them. What is not listed may run tools unasked.
 */
const askingModes: readonly string[] = ['default', 'plan', 'ask', 'approve', 'chat', 'read-only', 'dontAsk'];

export function isAskingMode(id: string): boolean {
  return askingModes.includes(id);
}
