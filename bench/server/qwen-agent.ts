import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { installed } from '../../test/support/third-party.js';
import { type Conversation, post } from '../support/agent-client.js';
import { sayChunks, timesIn } from '../support/order.js';
import type { ServerPlace, ServerProgram } from '../support/server-process.js';
import { type Agent, type Approval, askedCommand } from './agent.js';
import { EventFeed } from './event-feed.js';
import { offline } from './offline.js';

const version = '0.24.4';
/** It needs 22 or later. */
const nodeVersion = '24.9.0';

/** `qwen serve`, which runs its agent in a process of its own. */
export function qwenProgram({ port, folder }: ServerPlace): ServerProgram {
  const program = installed('@qwen-code/qwen-code', version, { command: 'qwen' });
  const own = join(folder, 'home', '.qwen');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'settings.json'), JSON.stringify(settings));
  return {
    command: installed(`node-${process.platform}-${process.arch}`, nodeVersion, { command: 'node' }),
    args: [program, 'serve', '--hostname', '127.0.0.1', '--port', String(port), '--no-web', '--max-sessions', '0'],
    readyPath: '/health',
    // Its agent gets them, too.
    env: { NODE_OPTIONS: `--import ${offline}` },
  };
}

const settings = {
  security: { auth: { selectedType: 'gemini' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // In its own mode it asks the model first whether to ask.
  tools: { approvalMode: 'default' },
  // Otherwise the model is asked twice more after each turn.
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
};

/** Each session tells what it does on a stream of its own. */
export function qwenAgent(port: number): Agent {
  const feeds = new Map<string, EventFeed>();
  const turn: Agent['turn'] = async (prompt, conversation) => {
    const { contextId } = conversation ?? (await newSession(port));
    const known = feeds.get(contextId);
    const feed = known ?? (await eventsOf(port, contextId));
    const turned = feed.turn((text) => text.includes('"agent_message_chunk"'), isEnd);
    const [all] = await Promise.all([turned, send(port, contextId, prompt)]);
    if (!known) feed.close();
    return all;
  };
  return {
    turn,
    async begin() {
      const conversation = await newSession(port);
      feeds.set(conversation.contextId, await eventsOf(port, conversation.contextId));
      await turn(sayChunks(1), conversation);
      return conversation;
    },
    createTask: async () => void (await newSession(port, false)),
    async approve(conversation) {
      const feed = feeds.get(conversation.contextId);
      if (!feed) throw new Error('no such conversation');
      return approveOnce(port, feed, conversation);
    },
  };
}

async function newSession(port: number, agent?: false): Promise<Conversation> {
  // Without it everybody gets the same session.
  const body = { sessionScope: 'thread' };
  const answer = await textOf(await post(port, { path: '/session' }, body, agent));
  return { contextId: /"sessionId":"([^"]+)"/.exec(answer)?.[1] ?? '', taskId: '' };
}

function eventsOf(port: number, session: string): Promise<EventFeed> {
  return EventFeed.open(port, `/session/${session}/events?maxQueued=2048`);
}

async function send(port: number, session: string, text: string): Promise<void> {
  const response = await post(port, { path: `/session/${session}/prompt` }, { prompt: [{ type: 'text', text }] });
  response.resume();
}

/** It does not tell that a tool runs, only that it has run. */
async function approveOnce(port: number, feed: EventFeed, { contextId }: Conversation): Promise<Approval> {
  const asked = feed.until(({ text }) => text.includes('"type":"permission_request"'));
  const [question] = await Promise.all([asked, send(port, contextId, askedCommand)]);
  const [calledAt = Number.NaN] = timesIn(question.text);
  const id = /"requestId":"([^"]+)"/.exec(question.text)?.[1] ?? '';
  const answer = { outcome: { outcome: 'selected', optionId: 'proceed_once' } };
  const replied = post(port, { path: `/session/${contextId}/permission/${id}` }, answer);
  const [reply] = await Promise.all([replied, feed.until(({ text }) => isEnd(text))]);
  reply.resume();
  return { questionMs: question.at - calledAt };
}

function isEnd(text: string): boolean {
  return /"type":"turn_(?:complete|error)"/.test(text);
}
