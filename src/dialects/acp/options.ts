import type { PermissionOption, PermissionOptionKind } from '@agentclientprotocol/sdk';
import type { ApprovalOption } from '../../domain/tool-call.js';

export function toPermissionOptions(options: readonly ApprovalOption[]): PermissionOption[] {
  return options.map(({ id, name }) => ({ optionId: id, name, kind: kindOfOption(id) }));
}

/** Engines of other vendors use their own ids; most of them say what they do. */
function kindOfOption(id: string): PermissionOptionKind {
  const always = /always|session|forever/i.test(id);
  if (/cancel|reject|deny|abort|disallow/i.test(id)) return always ? 'reject_always' : 'reject_once';
  return always ? 'allow_always' : 'allow_once';
}
