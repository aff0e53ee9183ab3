import type { WireToolCall } from '../../client/client.js';

/** One line of the agent's plan. */
export type PlanStep = { readonly text: string; readonly stand: Stand };
export type Stand = 'waits' | 'now' | 'done' | 'dropped';

const stands: Readonly<Record<string, Stand>> = { in_progress: 'now', completed: 'done', cancelled: 'dropped' };

/** The plan that a call writes; undefined if it writes none. The Gemini CLI keeps its plan with the tool `write_todos`. */
export function planIn({ tool_name, input_parameters }: WireToolCall): readonly PlanStep[] | undefined {
  const { todos } = input_parameters;
  if (tool_name !== 'write_todos' || !Array.isArray(todos)) return undefined;
  return todos.flatMap((todo: unknown): PlanStep[] => {
    if (typeof todo !== 'object' || todo === null) return [];
    const text: unknown = Reflect.get(todo, 'description');
    return typeof text === 'string' ? [{ text, stand: stands[String(Reflect.get(todo, 'status'))] ?? 'waits' }] : [];
  });
}
