import { randomUUID } from 'node:crypto';
import type { Command } from '../../domain/command.js';
import type { Answer } from '../../domain/tool-call.js';
import { splitWords } from '../../util/text/split-words.js';
import type { Engine, EngineEvent, EngineHost, TurnRequest } from '../engine.js';
import { toCommands } from './agent-commands.js';
import type { AcpCheckpoint, AcpEngineOptions } from './acp-engine-options.js';
import { AgentGone } from './agent/agent-connection.js';
import type { AgentUpdate } from './agent/agent-messages.js';
import { AgentPlan } from './agent-plan.js';
import { AgentSettings } from './agent-settings.js';
import { failureText } from './failure-text.js';
import { habitsOf } from './habits.js';
import { openAgent, type OpenAgent } from './agent/open-agent.js';
import { Thoughts } from './thoughts.js';
import { AgentToolCalls } from './tool-calls.js';
import { translateUpdate, usageOf } from './translate-update.js';
import { endOf } from './turn-end.js';
import { defined } from '../../util/defined.js';

export type { AcpCheckpoint, AcpEngineOptions };

export type AcpEngine = Engine & {
  /** Resolves when the agent is ready for its first prompt. Rejects with the reason if it fails to start. */
  readonly opened: Promise<unknown>;
  /** Ends the agent and everything it started. */
  dispose(): Promise<void>;
};

/** Runs any agent that speaks the Agent Client Protocol as an engine: one process per session. */
export function openAcpEngine(options: AcpEngineOptions): AcpEngine {
  return new AgentEngine(options);
}

type Turn = { readonly isOurs: boolean; isCanceling?: true; timer?: NodeJS.Timeout };

/** An agent that does not stop within this time is killed. */
const stopMs = 15_000;
/** Work that nobody asked for counts as finished after this long without an update. */
const quietMs = 1000;

class AgentEngine implements AcpEngine {
  readonly opened: Promise<unknown>;
  readonly settings: AgentSettings;
  readonly #options: AcpEngineOptions;
  readonly #words: readonly string[];
  readonly #thoughts = new Thoughts();
  readonly #tools = new AgentToolCalls({ report: (call) => this.#report({ type: 'tool', call }) });
  readonly #plan = new AgentPlan(() => `plan-${randomUUID()}`);
  readonly #disposal = new AbortController();
  #host: EngineHost | undefined;
  /** Events from before the hub is connected. */
  #early: EngineEvent[] = [];
  #agent: Promise<OpenAgent> | undefined;
  #sessionId: string | undefined;
  #isStarting = false;
  #commands: readonly Command[] = [];
  #turn: Turn | undefined;

  constructor(options: AcpEngineOptions) {
    this.#options = options;
    this.#words = splitWords(options.command);
    this.#sessionId = options.checkpoint?.acpSessionId;
    this.settings = new AgentSettings({
      opened: () => this.#open(),
      mayAutoExecute: options.mayAutoExecute ?? false,
      mode: options.mode,
      chosen: options.checkpoint?.chosen ?? {},
      onChosen: () => this.#save(),
      report: (event) => this.#report(event),
    });
    this.opened = this.#open();
    // A caller that does not wait for it sees the failure at the first prompt.
    this.opened.catch(() => {});
  }

  connect(host: EngineHost): void {
    this.#host = host;
    for (const event of this.#early.splice(0)) host.report(event);
  }

  get isReady(): boolean {
    return this.#turn === undefined && !this.#isStarting;
  }

  start({ text }: TurnRequest): void {
    const turn: Turn = { isOurs: true };
    this.#turn = turn;
    this.#tools.clear();
    void this.#run(turn, text).then((end) => this.#end(turn, end));
  }

  answer(callId: string, { optionId }: Answer): void {
    this.#tools.answer(callId, optionId);
  }

  cancel(): void {
    const turn = this.#turn;
    if (!turn || turn.isCanceling) return;
    turn.isCanceling = true;
    this.#tools.cancel();
    // While the agent is still starting, the turn ends before its prompt is sent.
    if (this.#isStarting) return;
    void this.#agent?.then(({ connection, sessionId }) => connection.cancel(sessionId)).catch(() => {});
    turn.timer ??= setTimeout(() => void this.#stopAgent(), stopMs);
  }

  commands(): readonly Command[] {
    return this.#commands;
  }

  refusalOfCommand(line: string): string | undefined {
    const [name] = line.split(' ');
    return this.#commands.some((command) => command.name === name) ? undefined : 'the agent has no such command';
  }

  async dispose(): Promise<void> {
    this.#disposal.abort();
    clearTimeout(this.#turn?.timer);
    this.#tools.clear();
    await this.#stopAgent();
  }

  async #run(turn: Turn, text: string): Promise<EngineEvent> {
    try {
      const { connection, sessionId } = await this.#open();
      if (turn.isCanceling) return { type: 'ended', state: 'canceled' };
      const response = await connection.prompt(sessionId, text);
      const usage = usageOf(response);
      if (usage) this.#report({ type: 'usage', usage });
      return endOf(response.stopReason, {
        isCanceling: turn.isCanceling === true,
        wasRefused: this.#tools.wasRefused,
      });
    } catch (error) {
      if (turn.isCanceling) return { type: 'ended', state: 'canceled' };
      const who = error instanceof AgentGone ? 'the agent ' : '';
      return { type: 'ended', state: 'failed', error: `${who}${failureText(error)}` };
    }
  }

  #end(turn: Turn, end: EngineEvent): void {
    if (this.#turn !== turn) return;
    this.#say(...this.#thoughts.flush());
    clearTimeout(turn.timer);
    this.#turn = undefined;
    // The hub closes the calls that are still open.
    this.#report(end);
  }

  /** The running agent, or a new one that continues the same session if it can. */
  #open(): Promise<OpenAgent> {
    return (this.#agent ??= this.#start());
  }

  async #start(): Promise<OpenAgent> {
    const { command, workspace, env, version, log, mcpServers } = this.#options;
    this.#isStarting = true;
    try {
      const agent = await openAgent({
        words: this.#words,
        workspace,
        env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COSESSION_'))),
        version,
        mcpServers: mcpServers?.() ?? [],
        ...defined({ earlierSession: this.#sessionId }),
        onComplaint: (line) => log.info('agent', { line }),
        signal: this.#disposal.signal,
        prepare: (opened) => this.settings.restore(opened),
        handlers: {
          update: (update) => this.#onUpdate(update),
          permission: (request, signal) => {
            this.#beginUnasked();
            return this.#tools.ask(request, signal);
          },
        },
      });
      this.#onStarted(agent);
      return agent;
    } catch (error) {
      this.#agent = undefined;
      throw new Error(`the agent "${command}" ${failureText(error)}`, { cause: error });
    } finally {
      this.#isStarting = false;
      if (this.isReady) this.#report({ type: 'ready' });
    }
  }

  #onStarted({ sessionId, name: agentName, title, hasForgotten, leftOut, process }: OpenAgent): void {
    const { log } = this.#options;
    log.info('agent ready', { title, session: sessionId });
    this.#tools.habits = habitsOf(agentName);
    if (hasForgotten)
      this.#report({ type: 'log', level: 'warn', text: 'the agent was restarted and does not remember this session' });
    for (const { name, type } of leftOut)
      this.#report({ type: 'log', level: 'warn', text: `MCP server "${name}" left out: the agent has no ${type}` });
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#save();
    }
    void process.ended.then((how) => this.#onGone(how));
  }

  #save(): void {
    const acpSessionId = this.#sessionId;
    if (acpSessionId !== undefined) this.#options.onCheckpoint?.({ acpSessionId, chosen: this.settings.chosen });
  }

  /** A running turn ends by itself, because its prompt fails. */
  #onGone(how: string): void {
    this.#agent = undefined;
    if (this.#disposal.signal.aborted) return;
    this.#options.log.error('agent exited', { how });
    if (!this.#turn?.isOurs)
      this.#report({ type: 'log', level: 'warn', text: `the agent ${how}; the next prompt starts it again` });
  }

  async #stopAgent(): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.process.stop();
    agent?.connection.close();
  }

  #onUpdate(update: AgentUpdate): void {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.#commands = toCommands(update.availableCommands);
        return;
      case 'current_mode_update':
        return this.settings.update({ modes: { current: update.currentModeId, choices: undefined } });
      case 'config_option_update':
        return this.settings.update(update);
      case 'usage_update':
      case 'notice':
        return this.#say(translateUpdate(update));
      case 'agent_thought_chunk':
        this.#beginUnasked();
        return this.#say(...(update.content.type === 'text' ? this.#thoughts.add(update.content.text) : []));
      case 'tool_call':
      case 'tool_call_update':
        if (this.#tools.isOver(update)) return;
        this.#beginUnasked();
        this.#say(...this.#thoughts.flush());
        return this.#tools.update(update);
      case 'plan':
        this.#beginUnasked();
        this.#say(...this.#thoughts.flush());
        for (const call of this.#plan.toCalls(update.entries)) this.#report({ type: 'tool', call });
        return;
      default: {
        const event = translateUpdate(update);
        if (!event) return;
        this.#beginUnasked();
        this.#say(...this.#thoughts.flush(), event);
      }
    }
  }

  /** Agents may work between prompts. That work is a separate turn, which ends once the agent has been quiet for a while. */
  #beginUnasked(): void {
    if (this.#turn?.isOurs) return;
    if (!this.#turn) {
      this.#tools.clear();
      this.#turn = { isOurs: false };
      this.#report({ type: 'started', text: '', origin: { surface: 'server' } });
    }
    const turn = this.#turn;
    clearTimeout(turn.timer);
    turn.timer = setTimeout(() => this.#endUnasked(turn), quietMs);
  }

  #endUnasked(turn: Turn): void {
    if (this.#tools.areOver || turn.isCanceling)
      this.#end(turn, { type: 'ended', state: turn.isCanceling ? 'canceled' : 'completed' });
    else turn.timer = setTimeout(() => this.#endUnasked(turn), quietMs);
  }

  #say(...events: readonly (EngineEvent | undefined)[]): void {
    for (const event of events) if (event) this.#report(event);
  }

  #report(event: EngineEvent): void {
    if (this.#disposal.signal.aborted) return;
    if (this.#host) this.#host.report(event);
    else this.#early.push(event);
  }
}
