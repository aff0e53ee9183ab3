import type { WireEvent } from '../wire-client.js';

/** What a server may have just said when it dies: between each of them and the next thing it does lies something to lose. */
export const moments: readonly { readonly name: string; readonly isNow: (said: WireEvent) => boolean }[] = [
  { name: 'prompt accepted', isNow: (said) => resultOf(said)?.['turnId'] !== undefined },
  { name: 'answer accepted', isNow: (said) => resultOf(said)?.['tool_call_id'] !== undefined },
  { name: 'question open', isNow: (said) => said['confirmation_request'] !== undefined },
  { name: 'tool running', isNow: (said) => isTool(said, 'EXECUTING') },
  { name: 'tool done', isNow: (said) => isTool(said, 'SUCCEEDED') },
  { name: 'speaking', isNow: ({ kind }) => kind === 'TEXT_CONTENT' },
  { name: 'turn over', isNow: ({ final }) => final === true },
];

function isTool({ kind, status }: WireEvent, wanted: string): boolean {
  return kind === 'TOOL_CALL_UPDATE' && status === wanted;
}

function resultOf({ result }: WireEvent): Record<string, unknown> | undefined {
  return result as Record<string, unknown> | undefined;
}
