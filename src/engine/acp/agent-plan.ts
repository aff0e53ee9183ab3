import type { ToolCall } from '../../domain/tool-call.js';
import type { AgentUpdate } from './agent/agent-messages.js';

type Entries = Extract<AgentUpdate, { sessionUpdate: 'plan' }>['entries'];

/**
 * The plan of an agent. ACP has a special update for it; the Gemini CLI writes it with the tool `write_todos`. Here it
 * becomes such a call, so every surface shows one kind of plan.
 */
export class AgentPlan {
  readonly #newId: () => string;
  #last = '';

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The call that writes it, in its states. Agents repeat a plan that has not changed; then there is none. */
  toCalls(entries: Entries): readonly ToolCall[] {
    const todos = entries.map(({ content, status }) => ({ description: content, status: status ?? 'pending' }));
    const plan = JSON.stringify(todos);
    if (plan === this.#last) return [];
    this.#last = plan;
    const call = { id: this.#newId(), name: 'write_todos', args: { todos } };
    const text = todos.map(({ description, status }) => `${marks[status] ?? '·'} ${description}`).join('\n');
    return [
      { ...call, status: 'executing' },
      { ...call, status: 'succeeded', output: { kind: 'text', text } },
    ];
  }
}

const marks: Readonly<Record<string, string>> = { completed: '✓', in_progress: '▸' };
