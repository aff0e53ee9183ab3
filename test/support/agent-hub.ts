import type { SessionEvent, TurnState } from '../../src/domain/events.js';
import { isTurnEnd } from '../../src/domain/events.js';
import type { ToolCall } from '../../src/domain/tool-call.js';
import { type AcpEngineOptions, openAcpEngine } from '../../src/engine/acp/acp-engine.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import { alice, prompt } from './hub.js';
import { until } from './until.js';

export type AgentHub = ReturnType<typeof openAgentHub>;

/** A hub on an agent that runs, with everything it published. */
export function openAgentHub(
  options: Pick<AcpEngineOptions, 'command' | 'env' | 'workspace'> & Partial<AcpEngineOptions>,
) {
  const logged: string[] = [];
  const write = (message: string, facts: object = {}): void => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const engine = openAcpEngine({ version: '0.0.0', log: { debug: write, info: write, error: write }, ...options });
  const session = new Session({ id: 'session-1', engine, store: memoryStore() });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return {
    engine,
    session,
    events,
    logged,
    /** Sends a prompt; what happens in its turn is read with the returned functions. */
    ask(text: string) {
      const { turnId } = session.submit(prompt(text));
      const own = (): SessionEvent[] => events.filter((event) => event.turnId === turnId);
      const calls = (): ToolCall[] => own().flatMap((event) => (event.type === 'tool' ? [event.call] : []));
      const states = (): TurnState[] => own().flatMap((event) => (event.type === 'turn' ? [event.state] : []));
      return {
        own,
        calls,
        states,
        statuses: () =>
          calls()
            .map(({ status }) => status)
            .filter((status, index, all) => status !== all[index - 1]),
        text: () =>
          own()
            .flatMap((event) => (event.type === 'text' ? [event.text] : []))
            .join(''),
        question: () => until(() => calls().find((call) => call.status === 'waiting')),
        answer: (callId: string, optionId: string) => session.answer(callId, { optionId }, alice),
        end: async () => {
          await until(() => states().some(isTurnEnd));
          return own().findLast((event) => event.type === 'turn');
        },
      };
    },
    async close() {
      await session.close();
      await engine.dispose();
    },
  };
}
