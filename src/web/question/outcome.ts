import type { WireToolCall } from '../../client/client.js';
import { outcomeWords as w } from '../words/session.js';

/** How a question was answered. Apart from the questions themselves, because every tool on the thread shows it. */
export function outcomeOf({ status, metadata }: WireToolCall): { text: string; isDenied: boolean } {
  const { selected_option_id: option } = metadata;
  const isDenied = option === 'cancel' || (option === undefined && status === 'CANCELLED');
  return { text: w.outcomes[isDenied ? 'cancel' : (option ?? '')] ?? w.allowed, isDenied };
}
