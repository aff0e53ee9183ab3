import type { SessionConfigOption } from '@agentclientprotocol/sdk/experimental/v2';
import type { Choices } from '../../domain/choices.js';
import { meta } from '../acp/meta.js';
import { selectsOf, type SessionState, type AcpSettings } from '../acp/settings.js';

/** Version 2 has no separate modes: the approval mode is an option like the model. */
export function toConfigOptionsV2(settings: AcpSettings, choices: Choices): SessionConfigOption[] {
  return selectsOf(settings, choices).map(({ id, select }) => ({ configId: id, ...select }));
}

export function toSessionStateV2({ settings, choices, state, queued }: SessionState) {
  return { configOptions: toConfigOptionsV2(settings, choices), _meta: meta({ state, queued }) };
}
