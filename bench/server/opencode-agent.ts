import { text as textOf } from 'node:stream/consumers';
import { installed } from '../../test/support/third-party.js';
import { type Conversation, post } from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { sayChunks, timesIn } from '../support/order.js';
import type { ServerPlace, ServerProgram } from '../support/server-process.js';
import { type Agent, type Approval, askedCommand } from './agent.js';
import { EventFeed } from './event-feed.js';

const version = '1.18.33';

/** `opencode serve`. It is a compiled program, so only its settings keep it from the network. */
export function opencodeProgram({ port, modelUrl }: ServerPlace): ServerProgram {
  const binary = `opencode-${process.platform}-${process.arch}`;
  return {
    command: installed(binary, version, { file: `${binary}/bin/opencode` }),
    args: ['serve', '--hostname', '127.0.0.1', '--port', String(port)],
    readyPath: '/global/health',
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(modelUrl)),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      // It installs a package for plugins at each start.
      npm_config_offline: 'true',
      // Nothing listens there.
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    },
  };
}

function settings(modelUrl: string): object {
  const options = { baseURL: `${modelUrl}/v1beta`, apiKey: 'none' };
  return {
    model: 'scripted/scripted',
    enabled_providers: ['scripted'],
    provider: { scripted: { npm: '@ai-sdk/google', options, models: { scripted: {} } } },
    permission: { bash: 'ask' },
    autoupdate: false,
    share: 'disabled',
  };
}

/** All sessions tell what they do on one stream. */
export function opencodeAgent(port: number): Agent {
  let opened: Promise<EventFeed> | undefined;
  const events = (): Promise<EventFeed> => (opened ??= EventFeed.open(port, '/event'));
  const turn: Agent['turn'] = async (prompt, conversation) => {
    const feed = await events();
    const { contextId } = conversation ?? (await newSession(port));
    // The whole text comes once more at the end.
    const turned = feed.turn(isOf(contextId, '"message.part.delta"'), isOf(contextId, '"session.idle"'));
    const [all] = await Promise.all([turned, send(port, contextId, prompt)]);
    return all;
  };
  return {
    turn,
    async begin() {
      const conversation = await newSession(port);
      await turn(sayChunks(1), conversation);
      return conversation;
    },
    createTask: async () => void (await newSession(port, false)),
    approve: async (conversation) => approveOnce(port, await events(), conversation),
  };
}

/** With a title, as the model would be asked for one otherwise. */
async function newSession(port: number, agent?: false): Promise<Conversation> {
  const answer = await textOf(await post(port, { path: '/session' }, { title: 'bench' }, agent));
  return { contextId: /"id":"([^"]+)"/.exec(answer)?.[1] ?? '', taskId: '' };
}

async function send(port: number, session: string, text: string): Promise<void> {
  const response = await post(port, { path: `/session/${session}/prompt_async` }, { parts: [{ type: 'text', text }] });
  response.resume();
}

/** It calls a tool "running" before it asks, and says so again when it does run. */
async function approveOnce(port: number, feed: EventFeed, { contextId }: Conversation): Promise<Approval> {
  const next = (kind: string) => feed.until(({ text }) => isOf(contextId, kind)(text));
  const [question] = await Promise.all([next('"permission.asked"'), send(port, contextId, askedCommand)]);
  const [calledAt = Number.NaN] = timesIn(question.text);
  const id = /"id":"(per_[^"]+)"/.exec(question.text)?.[1] ?? '';
  const answeredAt = now();
  const replied = post(port, { path: `/permission/${id}/reply` }, { reply: 'once' });
  const all = [next('"status":"running"'), next('"session.idle"'), replied] as const;
  const [executing, , reply] = await Promise.all(all);
  reply.resume();
  return { questionMs: question.at - calledAt, executingMs: executing.at - answeredAt };
}

function isOf(session: string, kind: string): (text: string) => boolean {
  return (text) => text.includes(kind) && text.includes(session);
}
