import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { installed, runScript, runScriptAs } from '../support/foreign-client.js';
import { type ConformanceAgent, openConformanceAgent, type Place, places } from '../support/open-conformance-agent.js';
import { usePostgres } from '../support/use-postgres.js';

const question = expect.stringContaining('Permission needed: write_file wants to change /project/a.txt') as string;

const database = usePostgres();

describe.each<Place>([...places, 'three servers of a cluster'])('%s', (place) => {
  let agent: ConformanceAgent;
  // Each begins with a session that nobody waits in.
  beforeEach(async () => {
    agent = await openConformanceAgent({ place, newStore: () => database.server.newPlace() });
  });
  // What comes through a balancer could come from anywhere, so it needs a token.
  const run: typeof runScript = (...given) =>
    place === 'three servers of a cluster' ? runScriptAs(agent.token, ...given) : runScript(...given);
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
    const { taskId, contextId } = await ask('tool');
    const answered = await ask('Yes, please go ahead.', { taskId, contextId });
    const asked = await ask('explain');
    const open = await manager.getTask('cosession', asked.taskId);
    const canceled = await manager.cancelTask('cosession', asked.taskId);
    const states = [open.status.state, canceled.status.state];
    console.log(JSON.stringify({ name: card.name, first, second, answered, asked, states }));
    process.exit(0);
  `;

    test('finds the agent, streams two turns of one context, answers a permission in words, reads and cancels the task', async () => {
      const seen = (await run('.', script, `${agent.url}.well-known/agent-card.json`)) as {
        first: { contextId: string };
      };
      expect(seen).toMatchObject({
        name: place === 'the live endpoint' ? 'Gemini CLI Agent' : 'Gemini SDLC Agent',
        first: { state: 'completed', text: expect.stringContaining('You said: hello') as string },
        second: { state: 'completed', text: expect.stringContaining('3 2 1 You said: count 3') as string },
        asked: {
          state: 'input-required',
          text: expect.stringMatching(
            /^Permission needed: write_file.*Artifact \(answer\):\nI will write it\. /s,
          ) as string,
        },
        answered: { state: 'completed', text: expect.stringContaining('The tools have run.') as string },
        states: ['input-required', 'canceled'],
      });
      expect(seen).toMatchObject({ second: { contextId: seen.first.contextId } });
    });
  });

  describe("Google's Agent Development Kit (@google/adk 2.0.0, SDK 0.3.14)", () => {
    const script = `
    import { InMemoryRunner, RemoteA2AAgent } from '@google/adk';
    const [, agentCard] = process.argv;
    let last;
    const remote = new RemoteA2AAgent({
      name: 'remote',
      agentCard,
      afterRequestCallbacks: [(_context, response) => void (last = response)],
    });
    const runner = new InMemoryRunner({ agent: remote, appName: 'test' });
    const { id: sessionId } = await runner.sessionService.createSession({ appName: 'test', userId: 'user' });
    const ask = async (text) => {
      const events = [];
      const newMessage = { role: 'user', parts: [{ text }] };
      for await (const event of runner.runAsync({ userId: 'user', sessionId, newMessage })) events.push(event);
      const { taskId, contextId, status } = last;
      const textOf = ({ content }) => (content?.parts ?? []).map(({ text: each }) => each).join('');
      // Partial events are shown until the whole one comes, which is what its sessions keep.
      const [streamed, kept] = [true, false].map((isPartial) =>
        events.filter(({ partial = false }) => partial === isPartial).map(textOf).filter((each) => each !== ''));
      return { streamed, kept, state: status.state, taskId, contextId };
    };
    const first = await ask('count 2');
    const asked = await ask('explain');
    const answered = await ask('yes');
    console.log(JSON.stringify({ first, asked, answered }));
    process.exit(0);
  `;

    test('runs the agent as one of its own: streams, keeps the answer once, shows a permission, answers it in words', async () => {
      const folder = await installed(['@google/adk@2.0.0']);
      const seen = (await run(folder, script, agent.url)) as Record<string, { kept: string[]; taskId: string }>;
      expect(seen['first']).toMatchObject({
        streamed: ['2 ', '1 ', 'You said: count 2'],
        kept: ['2 1 You said: count 2'],
        state: 'completed',
      });
      expect(seen['asked']).toMatchObject({
        state: 'input-required',
        kept: ['I will write it. ', question, question],
      });
      // What was said before the question is in the task with which the answer's stream begins.
      expect(seen['answered']).toMatchObject({
        kept: ['I will write it. ', 'The tools have run.'],
        state: 'completed',
      });
      expect(seen['answered']?.taskId).toBe(seen['asked']?.taskId);
    });
  });

  describe("Vercel's AI SDK (ai 6.0.326 with a2a-ai-provider 0.5.0-alpha.1, SDK 0.3.14)", () => {
    const script = `
    import { a2a } from 'a2a-ai-provider';
    import { generateText, streamText } from 'ai';
    const [, url, mode] = process.argv;
    const model = a2a(url);
    const generate = async (prompt) => (await generateText({ model, prompt })).text;
    const stream = async (prompt) => {
      const chunks = [];
      for await (const chunk of streamText({ model, prompt }).textStream) chunks.push(chunk);
      return chunks;
    };
    const said = mode === 'generates' ? await generate('hello') : await stream('count 2');
    const asked = mode === 'generates' ? await generate('explain') : await stream('explain');
    console.log(JSON.stringify({ said, asked }));
    process.exit(0);
  `;

    test.each([
      [
        'generates',
        'You said: hello',
        expect.stringMatching(/Permission needed: write_file.*I will write it\. $/s) as string,
      ],
      ['streams', ['2 ', '1 ', 'You said: count 2'], ['I will write it. ', question]],
    ])('%s text, and shows a permission', async (mode, said, asked) => {
      const folder = await installed(['ai@6.0.326', 'a2a-ai-provider@0.5.0-alpha.1']);
      const card = `${agent.url}.well-known/agent-card.json`;
      expect(await run(folder, script, card, mode)).toEqual({ said, asked });
    });
  });

  describe('Strands Agents (@strands-agents/sdk 1.16.0, SDK 0.3.13)', () => {
    const script = `
    import { A2AAgent } from '@strands-agents/sdk/a2a';
    const [, url] = process.argv;
    const remote = new A2AAgent({ url });
    const ask = async (text) => (await remote.invoke(text)).toString();
    console.log(JSON.stringify({ said: await ask('count 2'), asked: await ask('explain') }));
    process.exit(0);
  `;

    test('invokes the agent: the answer once, and a permission behind what was said', async () => {
      const folder = await installed(['@strands-agents/sdk@1.16.0', '@a2a-js/sdk@0.3.13']);
      const { said, asked } = (await run(folder, script, agent.url)) as Record<string, string>;
      expect(said).toBe('2 1 You said: count 2');
      expect(asked).toMatch(/^I will write it\. \nPermission needed: write_file/);
    });
  });

  describe('AG-UI (@ag-ui/a2a 0.0.6, SDK 0.2.5)', () => {
    const script = `
    import { A2AAgent } from '@ag-ui/a2a';
    import { A2AClient } from '@a2a-js/sdk/client';
    const [, url, extension] = process.argv;
    const ask = async (content) => {
      const initialMessages = [{ id: crypto.randomUUID(), role: 'user', content }];
      const remote = new A2AAgent({ a2aClient: new A2AClient(url), threadId: crypto.randomUUID(), initialMessages });
      await remote.runAgent();
      return remote.messages.slice(1).map((message) => message.content);
    };
    const said = await ask('count 2');
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), 'a2a-extensions': extension } });
    const extended = { said: await ask('count 2') };
    globalThis.fetch = fetch;
    console.log(JSON.stringify({ plain: { said, asked: await ask('explain') }, extended }));
    process.exit(0);
  `;

    test('reads the messages of states and nothing else: the permission always, the answer with the extension', async () => {
      const folder = await installed(['@ag-ui/a2a@0.0.6']);
      expect(await run(folder, script, agent.url, extensionUri)).toEqual({
        plain: { said: [], asked: [question] },
        extended: { said: ['2 1 You said: count 2'] },
      });
    });
  });
});
