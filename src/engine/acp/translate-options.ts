import { allowOnceOption, type ApprovalOption, cancelOption } from '../../domain/tool-call.js';
import type { PermissionOption } from './agent/agent-messages.js';

export type OfferedOptions = {
  readonly options: readonly ApprovalOption[];
  /** Ids that mean no, in addition to `cancel`. */
  readonly refusals: readonly string[];
  /** The agent's own id of an option. Undefined for a `cancel` that the agent did not offer. */
  agentIdOf(optionId: string): string | undefined;
};

/**
 * The agent's options under ids that every client knows: its "yes, this time" is `proceed_once` and its "no" is
 * `cancel`, which exists even if the agent offers none. All other options keep the agent's ids, so a client that did
 * not read the list never grants more than this one call.
 */
export function translateOptions(offered: readonly PermissionOption[]): OfferedOptions {
  const yes = offered.find(({ kind }) => kind === 'allow_once');
  const no = offered.find(({ kind }) => kind === 'reject_once') ?? offered.find(({ kind }) => kind === 'reject_always');
  const named = offered.map((option, index) => ({ option, id: idFor(option, index) }));
  const agentIds = new Map(named.map(({ option, id }) => [id, option.optionId]));
  const options = named.map(({ option, id }) => ({ id, name: toWords(option.name) }));
  return {
    options: no ? options : [...options, { id: cancelOption, name: 'No' }],
    refusals: named.filter(({ option, id }) => id !== cancelOption && isNo(option)).map(({ id }) => id),
    agentIdOf: (id) => agentIds.get(id),
  };

  function idFor(option: PermissionOption, index: number): string {
    if (option === yes) return allowOnceOption;
    if (option === no) return cancelOption;
    const isTaken = option.optionId === allowOnceOption || option.optionId === cancelOption;
    return isTaken ? `${option.optionId}_${index + 1}` : option.optionId;
  }
}

/** goose sends ids where people read a name: `allow_once` becomes "Allow once". */
function toWords(name: string): string {
  if (!/^[a-z]+(_[a-z]+)+$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

function isNo({ kind }: PermissionOption): boolean {
  return kind === 'reject_once' || kind === 'reject_always';
}
