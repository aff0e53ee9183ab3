import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installed, runScript } from '../support/foreign-client.js';
import { type ConformanceAgent, openConformanceAgent, places } from '../support/open-conformance-agent.js';

/** Installing takes a while on a machine that has never run this. */
const patience = 300_000;

describe.each(places)('%s', (place) => {
  let agent: ConformanceAgent;
  // Each begins with a session that nobody waits in.
  beforeEach(async () => {
    agent = await openConformanceAgent({ place });
  });
  afterEach(async () => {
    expect(agent.errors).toEqual([]);
    await agent.close();
  });

  describe("the Gemini CLI's own client for remote agents (gemini-cli-core 0.61.0, SDK 0.3.11)", () => {
    const script = `
    import { A2AClientManager } from './node_modules/@google/gemini-cli-core/dist/src/agents/a2a-client-manager.js';
    import { A2AResultReassembler } from './node_modules/@google/gemini-cli-core/dist/src/agents/a2aUtils.js';
    const [, url] = process.argv;
    const manager = new A2AClientManager({ getProxy: () => undefined });
    const card = await manager.loadAgent('cosession', { type: 'url', url });
    const ask = async (text, options) => {
      const result = new A2AResultReassembler();
      let last;
      for await (const event of manager.sendMessageStream('cosession', text, options)) {
        result.update(event);
        last = event;
      }
      const { taskId, contextId, status } = last;
      return { text: result.toString(), state: status.state, taskId, contextId };
    };
    const first = await ask('hello');
    const second = await ask('count 3', { contextId: first.contextId });
    const asked = await ask('tool');
    const open = await manager.getTask('cosession', asked.taskId);
    const canceled = await manager.cancelTask('cosession', asked.taskId);
    const states = [open.status.state, canceled.status.state];
    console.log(JSON.stringify({ name: card.name, first, second, asked, states }));
    process.exit(0);
  `;

    test('finds the agent, streams two turns of one context, sees a permission, reads and cancels the task', async () => {
      const seen = (await runScript('.', script, `${agent.url}.well-known/agent-card.json`)) as {
        first: { contextId: string };
      };
      expect(seen).toMatchObject({
        name: place === 'the live endpoint' ? 'Gemini CLI Agent' : 'Gemini SDLC Agent',
        first: { state: 'completed', text: expect.stringContaining('You said: hello') as string },
        second: { state: 'completed', text: expect.stringContaining('3 2 1 You said: count 3') as string },
        asked: { state: 'input-required', text: expect.stringContaining('Permission needed for write_file') as string },
        states: ['input-required', 'canceled'],
      });
      expect(seen).toMatchObject({ second: { contextId: seen.first.contextId } });
    });
  });

  describe("Google's Agent Development Kit (@google/adk 2.0.0, SDK 0.3.14)", () => {
    const script = `
    import { InMemoryRunner, RemoteA2AAgent } from '@google/adk';
    const [, agentCard] = process.argv;
    let answer, last;
    const remote = new RemoteA2AAgent({
      name: 'remote',
      agentCard,
      beforeRequestCallbacks: [
        (_context, params) => {
          if (answer) Object.assign(params.message, answer);
        },
      ],
      afterRequestCallbacks: [(_context, response) => void (last = response)],
    });
    const runner = new InMemoryRunner({ agent: remote, appName: 'test' });
    const { id: sessionId } = await runner.sessionService.createSession({ appName: 'test', userId: 'user' });
    const ask = async (text) => {
      const events = [];
      const newMessage = { role: 'user', parts: [{ text }] };
      for await (const event of runner.runAsync({ userId: 'user', sessionId, newMessage })) events.push(event);
      const { taskId, contextId, status } = last;
      const said = events.flatMap(({ content }) => content?.parts ?? []).map(({ text: each }) => each);
      return { said, state: status.state, taskId, contextId };
    };
    const first = await ask('hello');
    const asked = await ask('tool');
    const data = { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' };
    answer = { taskId: asked.taskId, parts: [{ kind: 'data', data }] };
    const answered = await ask('yes');
    console.log(JSON.stringify({ first, asked, answered }));
    process.exit(0);
  `;

    test(
      'runs the agent as one of its own: answers once, shows a permission, answers it',
      async () => {
        const folder = await installed(['@google/adk@2.0.0']);
        const seen = (await runScript(folder, script, agent.url)) as Record<string, { said: string[]; taskId: string }>;
        expect(seen['first']).toMatchObject({ said: ['You said: hello'], state: 'completed' });
        expect(seen['asked']).toMatchObject({ state: 'input-required' });
        expect(seen['asked']?.said[0]).toContain('Permission needed for write_file');
        // Its answer is a ToolCallConfirmation, so it is told of the tool as the extension has it.
        expect(seen['answered']).toMatchObject({ state: 'completed' });
        expect(seen['answered']?.said.at(-1)).toBe('The tools have run.');
        expect(seen['answered']?.taskId).toBe(seen['asked']?.taskId);
      },
      patience,
    );
  });

  describe("Vercel's AI SDK (ai 6.0.326 with a2a-ai-provider 0.5.0-alpha.1, SDK 0.3.14)", () => {
    const script = `
    import { a2a } from 'a2a-ai-provider';
    import { generateText, streamText } from 'ai';
    const [, url] = process.argv;
    const model = a2a(url);
    const { text: said } = await generateText({ model, prompt: 'hello' });
    const streaming = streamText({ model, prompt: 'count 3' });
    await streaming.consumeStream();
    const { text: asked } = await generateText({ model, prompt: 'tool' });
    console.log(JSON.stringify({ said, streamed: await streaming.text, asked }));
    process.exit(0);
  `;

    test(
      'generates and streams text, and shows a permission',
      async () => {
        const folder = await installed(['ai@6.0.326', 'a2a-ai-provider@0.5.0-alpha.1']);
        expect(await runScript(folder, script, `${agent.url}.well-known/agent-card.json`)).toEqual({
          said: 'You said: hello',
          streamed: '3 2 1 You said: count 3',
          asked: 'Permission needed for write_file (edit-1)',
        });
      },
      patience,
    );
  });
});
