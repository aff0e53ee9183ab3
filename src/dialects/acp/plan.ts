import type { PlanEntry } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import type { ToolCall } from '../../domain/tool-call.js';

const todos = z.object({
  todos: z.array(z.object({ description: z.string(), status: z.string().default('pending') })),
});

const statuses = ['in_progress', 'completed', 'cancelled'] as const;

type Todo = { content: string; priority: 'medium'; status: PlanEntry['status'] | 'cancelled' };

/** The plan in version 1, which has no cancelled entries. */
export function planOf(call: ToolCall): PlanEntry[] | undefined {
  return todosOf(call)?.filter((entry): entry is Todo & PlanEntry => entry.status !== 'cancelled');
}

/** The agent's to-do list, if this call has just written it. */
export function todosOf(call: ToolCall): Todo[] | undefined {
  if (call.name !== 'write_todos' || call.status !== 'succeeded') return undefined;
  const parsed = todos.safeParse(call.args);
  if (!parsed.success) return undefined;
  return parsed.data.todos.map(({ description, status }) => ({
    content: description,
    priority: 'medium',
    status: statuses.find((known) => known === status) ?? 'pending',
  }));
}
