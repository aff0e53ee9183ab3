import * as z from 'zod';
import { confirmationSchema, confirmationSchemas } from '../shared/confirmation.js';
import { check, type ClientMessage, messageSchema, parseMessage } from '../shared/message.js';
import { defined } from '../../util/defined.js';

const textContent = z.object({
  kind: z.literal('text-content').optional(),
  text: z.string(),
  messageId: z.string().min(1).max(256).optional(),
});

/** What a user may send (seed 002): text, an answer to a tool call, or a standard A2A message. */
export const coderAgentMessage = z.union([textContent, ...Object.values(confirmationSchemas), messageSchema]);

/** Throws `bad-request` with what was expected and what was received. */
export function parseUserMessage(value: unknown): ClientMessage {
  const answer = confirmationSchema(value);
  if (answer) return { type: 'answer', ...check(answer, value, 'the confirmation') };
  if (typeof value !== 'object' || value === null || !('text' in value)) return parseMessage({ message: value });
  const { text, messageId } = check(textContent, value, 'userMessage');
  return { type: 'prompt', text, ...defined({ messageId }) };
}
