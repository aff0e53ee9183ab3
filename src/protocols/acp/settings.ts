import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';

export type Settings = { readonly model: string; readonly approvalMode?: string };

/** What the session runs with. Only the current value can be chosen, because a client cannot change it. */
export function toConfigOptions({ model, approvalMode }: Settings): SessionConfigOption[] {
  return [
    ...(model === '' ? [] : [fixed('model', 'Model', model)]),
    ...(approvalMode === undefined ? [] : [fixed('mode', 'Approval mode', approvalMode)]),
  ];
}

export function toModes({ approvalMode }: Settings): { modes?: SessionModeState } {
  if (approvalMode === undefined) return {};
  return { modes: { currentModeId: approvalMode, availableModes: [{ id: approvalMode, name: approvalMode }] } };
}

function fixed(category: 'model' | 'mode', name: string, value: string): SessionConfigOption {
  return { id: category, name, category, type: 'select', currentValue: value, options: [{ value, name: value }] };
}
