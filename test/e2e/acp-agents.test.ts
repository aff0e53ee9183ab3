import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentName, after, before, type OfflineAgent, offlineAgent, shellCommand } from '../support/acp-agents.js';
import { type AgentHub, openAgentHub } from '../support/agent-hub.js';
import { alice } from '../support/hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What differs although it is the same protocol. */
const agents: readonly {
  name: AgentName;
  tool: string;
  output: unknown;
  afterRefusal: string;
  /** Those in which it asks, or does nothing; the one it starts in first. */
  modes: readonly string[];
  /** Another one than that of the script. */
  model?: string;
}[] = [
  { name: 'goose', tool: 'shell', output: 'one\ntwo', afterRefusal: after, modes: ['approve', 'chat'] },
  {
    name: 'gemini',
    tool: 'run_shell_command',
    // It does not tell what a command printed.
    output: '',
    afterRefusal: after,
    modes: ['default', 'plan'],
    model: 'gemini-2.5-pro',
  },
  { name: 'qwen', tool: 'run_shell_command', output: 'one\ntwo', afterRefusal: after, modes: ['default', 'plan'] },
  {
    name: 'opencode',
    tool: 'bash',
    output: 'one\ntwo\n',
    // It stops when it is refused.
    afterRefusal: '',
    modes: ['build', 'plan'],
    model: 'opencode/big-pickle',
  },
  {
    name: 'claude',
    tool: 'Bash',
    output: 'one\ntwo',
    afterRefusal: after,
    modes: ['default', 'plan', 'dontAsk'],
    model: 'sonnet',
  },
  {
    name: 'codex',
    tool: 'exec_command',
    // It does not tell what was printed before it began to listen.
    output: expect.stringMatching(/^((one\n)?two\n)?$/),
    afterRefusal: '',
    modes: ['read-only'],
    model: 'gpt-6-luna',
  },
];

describe.each(agents)('$name as the engine', (agentUnderTest) => {
  const { name, tool, output, afterRefusal, modes, model } = agentUnderTest;
  const home = temporaryFolder();
  const workspace = join(home, 'workspace');
  const made = join(workspace, 'made.txt');
  let agent: OfflineAgent;
  let hub: AgentHub;

  beforeAll(async () => {
    mkdirSync(workspace);
    agent = await offlineAgent(name, join(home, 'home'));
    hub = openAgentHub({ ...agent, workspace });
    await hub.engine.opened;
  });
  afterAll(async () => {
    await hub?.close();
    await agent?.close();
  });

  test('a call that is allowed runs', async () => {
    const turn = hub.ask('make a file');
    const call = await turn.question();
    expect(call.approval.details).toMatchObject({ kind: 'execute', command: shellCommand });
    expect(call.approval.options.map(({ id }) => id)).toEqual(expect.arrayContaining(['proceed_once', 'cancel']));
    expect(existsSync(made)).toBe(false);
    turn.answer(call.id, 'proceed_once');
    expect(await turn.end()).toMatchObject({ state: 'completed' });
    expect(turn.statuses()).toEqual(['waiting', 'executing', 'succeeded']);
    expect(turn.calls().at(-1)).toMatchObject({ name: tool, output: { kind: 'text', text: output } });
    expect(turn.states()).toEqual(['working', 'input-required', 'working', 'completed']);
    expect(turn.text()).toBe(before + after);
    expect(turn.own().some(({ type }) => type === 'usage')).toBe(true);
    expect(existsSync(made)).toBe(true);
    rmSync(made);
  });

  test('a call that is refused does not run', async () => {
    const turn = hub.ask('make a file');
    const call = await turn.question();
    turn.answer(call.id, 'cancel');
    expect(await turn.end()).toMatchObject({ state: 'completed' });
    expect(turn.statuses()).toEqual(['waiting', 'cancelled']);
    expect(turn.text()).toBe(before + afterRefusal);
    expect(existsSync(made)).toBe(false);
  });

  test('a turn that is canceled while it asks ends canceled, and the next one runs', async () => {
    const turn = hub.ask('make a file');
    await turn.question();
    hub.session.cancel(alice);
    expect(await turn.end()).toMatchObject({ state: 'canceled' });
    expect(turn.statuses()).toEqual(['waiting', 'cancelled']);
    expect(existsSync(made)).toBe(false);
    const next = hub.ask('make a file');
    next.answer((await next.question()).id, 'proceed_once');
    expect(await next.end()).toMatchObject({ state: 'completed' });
  });

  test('its modes and models can be chosen, but none that runs tools unasked', async () => {
    const { settings } = hub.session;
    const told = (): string[] =>
      hub.events.flatMap((event) => (event.type === 'settings' ? [event.approvalMode ?? ''] : []));
    const [first = '', ...others] = modes;
    expect(told().at(-1)).toBe(first);
    expect(settings?.choices().modes.map(({ id }) => id)).toEqual(expect.arrayContaining([...modes]));
    expect(settings?.choices().modes).toHaveLength(modes.length);
    for (const mode of [...others, first]) {
      await settings?.setMode(mode, alice);
      expect(told().at(-1)).toBe(mode);
    }
    const effort = settings?.choices().others?.find(({ category }) => category === 'thought_level');
    if (effort) await settings?.setOther?.(effort.id, 'high', alice);
    const now = settings?.choices().others?.find(({ id }) => id === effort?.id);
    expect(now?.current).toBe(effort && 'high');
    if (model === undefined) return;
    expect(settings?.choices().models.map(({ id }) => id)).toContain(model);
    await settings?.setModel(model, alice);
    expect(hub.session.agent.model).toBe(model);
  });
});
