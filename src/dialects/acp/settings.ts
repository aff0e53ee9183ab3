import type { NewSessionResponse, SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { Choice, Choices, OtherSetting } from '../../domain/choices.js';
import type { TurnState } from '../../domain/events.js';
import { meta } from './meta.js';
import { defined } from '../../util/defined.js';

export type AcpSettings = { readonly model: string; readonly approvalMode?: string };

/** The current and the available settings. */
export type Setup = { readonly settings: AcpSettings; readonly choices: Choices };

/** A session at the moment a client joins. */
export type SessionState = Setup & { readonly state: TurnState; readonly queued: number };

export function toSessionState({
  settings,
  choices,
  state,
  queued,
}: SessionState): Omit<NewSessionResponse, 'sessionId'> {
  return {
    ...toModes(settings, choices),
    configOptions: toConfigOptions(settings, choices),
    _meta: meta({ state, queued }),
  };
}

export function toConfigOptions(settings: AcpSettings, choices: Choices): SessionConfigOption[] {
  return selectsOf(settings, choices).map(({ id, select }) => ({ id, ...select }));
}

/** The current settings and their choices. If a setting has no choices, the current value is the only one. */
export function selectsOf({ model, approvalMode: mode }: AcpSettings, { modes, models, others = [] }: Choices) {
  const shown: readonly OtherSetting[] = [
    ...(model === '' ? [] : [{ ...ofModel, current: model, choices: models }]),
    ...(mode === undefined ? [] : [{ ...ofMode, current: mode, choices: modes }]),
    ...others,
  ];
  return shown.map((setting) => ({ id: setting.id, select: toSelect(setting) }));
}

const ofModel = { id: 'model', category: 'model', name: 'Model' };
const ofMode = { id: 'mode', category: 'mode', name: 'Approval mode' };

function toModes({ approvalMode }: AcpSettings, { modes }: Choices): { modes?: SessionModeState } {
  if (approvalMode === undefined) return {};
  return { modes: { currentModeId: approvalMode, availableModes: withCurrent(modes, approvalMode) } };
}

function toSelect({ name, category, current, choices }: OtherSetting) {
  const options = withCurrent(choices, current).map(({ id, ...rest }) => ({ value: id, ...rest }));
  const kind = defined({ category });
  return { name, ...kind, type: 'select', currentValue: current, options } as const;
}

/** The terminal may have chosen a value that clients are not offered. */
function withCurrent(choices: readonly Choice[], current: string): Choice[] {
  return choices.some(({ id }) => id === current) ? [...choices] : [{ id: current, name: current }, ...choices];
}
