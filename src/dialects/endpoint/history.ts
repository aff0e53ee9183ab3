import type { SessionEvent } from '../../domain/events.js';
import type { Wire } from '../shared/wire.js';

type Message = { role: 'user' | 'agent'; text: string; seq: number };

/** The conversation as A2A messages: the prompts, and each reply as one text. Pure. */
export function toMessages(events: readonly SessionEvent[], historyLength: number): Wire[] {
  const messages: Message[] = [];
  for (const event of events) {
    const last = messages.at(-1);
    if (event.type === 'prompt' && event.queued === undefined) {
      messages.push({ role: 'user', text: event.text, seq: event.seq });
    } else if (event.type === 'text' && last?.role === 'agent') last.text += event.text;
    else if (event.type === 'text') messages.push({ role: 'agent', text: event.text, seq: event.seq });
  }
  return messages.slice(-historyLength).map(({ role, text, seq }) => ({
    kind: 'message',
    messageId: `message-${seq}`,
    role,
    parts: [{ kind: 'text', text }],
  }));
}
