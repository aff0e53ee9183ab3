import type { PlanEntry } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import type { ToolCall } from '../../domain/tool-call.js';

const todos = z.object({
  todos: z.array(z.object({ description: z.string(), status: z.string().default('pending') })),
});

/** The agent's to-do list, when this call has just written it. */
export function planOf(call: ToolCall): PlanEntry[] | undefined {
  if (call.name !== 'write_todos' || call.status !== 'succeeded') return undefined;
  const parsed = todos.safeParse(call.args);
  if (!parsed.success) return undefined;
  return parsed.data.todos
    .filter(({ status }) => status !== 'cancelled')
    .map(({ description, status }) => ({
      content: description,
      priority: 'medium',
      status: status === 'in_progress' || status === 'completed' ? status : 'pending',
    }));
}
