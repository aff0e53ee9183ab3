import type { PermissionOption, PermissionOptionKind } from '@agentclientprotocol/sdk';
import type { ApprovalOption } from '../../domain/tool-call.js';

/** The options of a question. */
export function toPermissionOptions(options: readonly ApprovalOption[]): PermissionOption[] {
  return options.map(({ id, name }) => ({ optionId: id, name, kind: kindOfOption(id) }));
}

/** Engines of other makers have ids of their own; most say what they do. */
function kindOfOption(id: string): PermissionOptionKind {
  const always = /always|session|forever/i.test(id);
  if (/cancel|reject|deny|abort|disallow/i.test(id)) return always ? 'reject_always' : 'reject_once';
  return always ? 'allow_always' : 'allow_once';
}
