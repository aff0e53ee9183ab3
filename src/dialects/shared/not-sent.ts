import type { EventBody } from '../../domain/events.js';

type Kind = EventBody['type'];
/** The endpoint's own dialect sends every kind: its events are numbered without gaps. */
type DialectName = 'development-tool' | 'coder-agent' | 'execute' | 'acp' | 'acp-v2';

/** For each kind of event, the dialects that do not send it. Every other dialect has a case for it. */
type Rows = Complete<{
  prompt: 'execute';
  turn: never;
  cancel: 'coder-agent' | 'execute' | 'acp' | 'acp-v2';
  text: never;
  thought: never;
  tool: never;
  citation: 'execute';
  usage: 'coder-agent' | 'execute';
  settings: 'execute';
  log: 'coder-agent' | 'execute';
  error: never;
  artifact: 'coder-agent' | 'execute';
  reply: never;
}>;

/**
 * Ends the switch of a translator. It does not compile if a kind has no row, if the dialect has neither a case nor its name in the
 * row, or if it has both: a new kind is decided for each dialect, in one place.
 */
export function notSent<Name extends DialectName, Rest extends Kind>(
  _dialect: Name,
  _event: { readonly type: Rest } & ([NotSentBy<Name>] extends [Rest] ? unknown : never) &
    ([Rest] extends [NotSentBy<Name>] ? unknown : never),
): never[] {
  return [];
}

type Complete<Table extends Record<Kind, DialectName>> = Table;
type NotSentBy<Name extends DialectName> = { [K in Kind]: Name extends Rows[K] ? K : never }[Kind];
