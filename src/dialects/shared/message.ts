import * as z from 'zod';
import { AppError } from '../../domain/errors.js';
import { type Confirmation, confirmationSchema } from './confirmation.js';
import { defined } from '../../util/defined.js';

/** What a client's message asks for. */
export type ClientMessage =
  | { readonly type: 'prompt'; readonly text: string; readonly messageId?: string; readonly taskId?: string }
  | ({ readonly type: 'answer'; readonly taskId?: string } & Confirmation);

const part = z.object({
  text: z.string().optional().describe('a prompt'),
  data: z.unknown().optional().describe('an answer: `tool_call_id` and `selected_option_id`'),
});

/** `content` is the endpoint guide's form (seed 001), `parts` is A2A's; both may carry text or data. */
export const messageSchema = z.object({
  messageId: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('sending the same id again does not create a second message'),
  taskId: z.string().optional(),
  content: part.optional(),
  parts: z.array(part).optional().describe('instead of `content`, as in A2A'),
});

/** The `params` of `message/stream`. */
export const messageParams = z.object({ message: messageSchema, taskId: z.string().optional() });

/** Reads the `params` of `message/stream`. Throws `bad-request` with what was expected and what was received. */
export function parseMessage(params: unknown): ClientMessage {
  const { message, taskId: outer } = check(messageParams, params, 'params');
  const parts = [...(message.content ? [message.content] : []), ...(message.parts ?? [])];
  const taskId = outer ?? message.taskId;
  const ids = defined({ taskId });
  for (const { data } of parts) {
    const schema = confirmationSchema(data);
    if (schema) return { type: 'answer', ...check(schema, data, 'the confirmation'), ...ids };
  }
  const texts = parts.flatMap((given) => (given.text === undefined ? [] : [given.text]));
  if (texts.length === 0) throw new AppError('bad-request', expected);
  const { messageId } = message;
  return { type: 'prompt', text: texts.join('\n'), ...defined({ messageId }), ...ids };
}

const expected =
  'the message has neither text nor an answer: expected message.content.text, message.content.data with ' +
  'tool_call_id and selected_option_id, or message.parts with either';

export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('bad-request', `${what} not understood: ${describe(parsed.error)}`);
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'invalid';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
